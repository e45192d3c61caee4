// Looks at what a surface says of itself with tools that are not ours, and prints what they find wrong, one a line:
//
//   node check.mjs BASE_URL API_KEY
import Ajv from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import newman from 'newman';
import openapiTS, { astToString } from 'openapi-typescript';
import typescript from 'typescript';
import core from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { createConfig, lintFromString } from '@redocly/openapi-core';

const [base, key] = process.argv.slice(2);
const read = async (path) => (await fetch(base + path)).json();
const doc = await read('/openapi.json');

// A linter, by the rules that it recommends.
const config = await createConfig({ extends: ['recommended'] });
const allowed = new Set([
  'operation-2xx-response #/paths/~1integrations~1search/post/responses', // a browser is led on by 303
  'no-unused-components #/components/examples/no_address', // no call meets it
  'no-unused-components #/components/examples/another_method',
  'no-server-example.com #/servers/0/url',
]);
for (const p of await lintFromString({ source: JSON.stringify(doc), absoluteRef: '/openapi.json', config })) {
  const where = p.ruleId + ' ' + p.location[0].pointer;
  if (!allowed.has(where)) console.log(`lint: ${where}: ${p.message}`);
}

// Another linter, by the rules for OpenAPI that it has. What it calls a warning is left to us.
const spectral = new core.Spectral();
spectral.setRuleset({ extends: [rulesets.oas] });
for (const p of await spectral.run(doc)) {
  if (p.severity === 0) console.log(`spectral: ${p.code} ${p.path.join('/')}: ${p.message}`);
}

// The types that are made of it are ones that the strictest compiler takes.
const types = 'interface.d.ts';
const host = typescript.createCompilerHost({});
const text = astToString(await openapiTS(doc));
const known = host.getSourceFile.bind(host);
host.getSourceFile = (name, version) => name === types ? typescript.createSourceFile(name, text, version) :
  known(name, version);
const program = typescript.createProgram([types], { strict: true, noEmit: true }, host);
for (const p of typescript.getPreEmitDiagnostics(program)) {
  console.log(`typescript: ${typescript.flattenDiagnosticMessageText(p.messageText, ' ')}`);
}
if (!text.includes('doc_expire')) console.log('typescript: there are no types');

// The schemas at their own addresses are valid to the letter, and so is each sample by the schema that it is a sample of.
const strict = () => {
  const ajv = new Ajv.default({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
  return formats.default(ajv);
};
const address = (name) => '/schemas/' + name.replace(/(?<!^)[A-Z]/g, (c) => '-' + c).toLowerCase() + '.json';
const records = {};
for (const [name, schema] of Object.entries(doc.components.schemas)) {
  if (schema.type !== 'object' || !schema.properties) continue;
  const alone = await read(address(name));
  if (!alone.$id.endsWith(address(name))) console.log(`${name} is called ${alone.$id}`);
  records[name] = strict().compile(alone);
}
const held = (name, sample, what) => {
  if (!records[name](sample)) console.log(`${what}: ${JSON.stringify(records[name].errors)}`);
};
let samples = 0;
const content = (forms, what) => {
  for (const [media, { schema, examples = {} }] of Object.entries(forms ?? {})) {
    for (const [name, example] of Object.entries(examples)) {
      const value = example.$ref ? doc.components.examples[example.$ref.split('/').pop()].value : example.value;
      const ref = schema?.$ref ?? schema?.items?.$ref;
      if (!ref) continue;
      for (const one of schema.items ? value : [value]) {
        held(ref.split('/').pop(), one, `${what} ${media} ${name}`);
        samples++;
      }
    }
  }
};
for (const [path, item] of [...Object.entries(doc.paths), ...Object.entries(doc.webhooks)]) {
  for (const [method, call] of Object.entries(item)) {
    content(call.requestBody?.content, `${method} ${path}`);
    for (const [status, answer] of Object.entries(call.responses)) {
      content(answer.content, `${method} ${path} ${status}`);
    }
  }
}
if (samples < 100) console.log(`only ${samples} samples`);

// Postman's own runner sends the collection's requests in their order, and each is done.
const collection = await read('/collection.json');
let sent = 0;
await new Promise((done) => newman.run({
  collection, reporters: [], envVar: [{ key: 'base_url', value: base }, { key: 'api_key', value: key }],
}, (err, run) => {
  if (err) console.log(`newman: ${err.message}`);
  for (const { item, response, requestError } of run.run.executions) {
    sent++;
    if (requestError || response.code >= 300) {
      console.log(`newman: ${item.name}: ${requestError?.message ?? response.code + ' ' + response.text()}`);
    }
  }
  done();
}));
if (sent < 10) console.log(`newman: only ${sent} requests`);
