// Reads the report at argv[2] with clients that are not ours, as the user argv[3] with the password argv[4],
// and prints what they found. Their messages go to standard error.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
console.log = console.error
const [root, user, password] = process.argv.slice(2)
const authorization = 'Basic ' + Buffer.from(user + ':' + password).toString('base64')
const found = {}

// odata (o.js)
const { o } = require('odata')
const service = o(root, { headers: new Headers({ authorization, 'Content-Type': 'application/json' }) })
const ids = rows => rows.map(row => row.BookingId)
found.filtered = ids(await service.get('FlightBookingDetailed')
  .query({ $filter: "VesselName eq 'Aurora' and PriceTotal gt 100", $orderby: 'CreatedAt', $top: 3 }))
found.one = (await service.get("FlightBookingDetailed('B001')").query()).PassengerLastName
const batch = await o(root, { headers: new Headers({ authorization, 'Content-Type': 'application/json' }), batch: {
  endpoint: '$batch', boundaryPrefix: 'batch_', changsetBoundaryPrefix: 'changset_', useChangset: false,
  headers: new Headers({ authorization, 'Content-Type': 'multipart/mixed' }),
} }).get('FlightBookingDetailed?$select=BookingId&$top=2')
  .get('FlightBookingDetailed?$filter=BookingId%20eq%20%27B003%27')
  .batch()
found.batch = batch.map(part => ids(part.body ?? part))

// @odata/client
const { OData } = require('@odata/client')
const client = OData.New4({
  metadataUri: root + '$metadata', serviceEndpoint: root, variant: 'default', credential: { username: user, password },
})
const set = client.getEntitySet('FlightBookingDetailed')
found.retrieved = (await set.retrieve('B002')).VesselName
found.query = ids(await set.query(client.newOptions()
  .filter(client.newFilter().property('PassengerLastName').eqString("O''BRIEN")).select('BookingId').orderby('BookingId', 'asc')))
found.count = await set.count()

// odata-csdl: our description in XML becomes the one that we give in JSON
const { xml2json } = require('odata-csdl')
const read = async path => (await fetch(root + path, { headers: { authorization } })).text()
found.converted = xml2json(await read('$metadata'))
found.ours = JSON.parse(await read('$metadata?$format=json'))

// @sap-ux/odata-vocabularies: what annotations say is in the vocabularies of OASIS, and at home where it stands
const { VocabularyService } = require('@sap-ux/odata-vocabularies')
const vocabularies = new VocabularyService()
const aliases = Object.fromEntries(Object.values(found.ours.$Reference).flatMap(r => r.$Include)
  .map(i => [i.$Alias, i.$Namespace]))
const wrong = (type, many, value) => {
  if (many) return !Array.isArray(value) || value.some(one => wrong(type, false, one))
  const t = vocabularies.getType(type)
  if (t?.kind === 'EnumType') return !t.values.some(v => v.name.split('/').pop() === value)
  if (t?.kind === 'ComplexType') {
    const { properties } = vocabularies.getComplexType(type)
    return Object.entries(value).some(([name, v]) => {
      const p = properties.get(name)
      return !p || wrong(p.type, p.isCollection, v)
    })
  }
  const simple = t?.underlyingType ?? type
  const js = { 'Edm.Boolean': 'boolean', 'Edm.Int32': 'number' }[simple] ?? 'string'
  return typeof value !== js && !value.$Path
}
found.unknown = []
found.annotations = 0
const look = (at, kind, element) => {
  for (const [name, value] of Object.entries(element)) {
    if (name[0] === '@') {
      const [alias, simple] = name.slice(1).split('.')
      const term = vocabularies.getTerm(aliases[alias] + '.' + simple)
      const fits = term && (term.appliesTo ?? [kind]).includes(kind)
      if (!fits || wrong(term.type, term.isCollection, value)) found.unknown.push(at + name)
      found.annotations++
    } else if (name[0] !== '$' && value.$Kind !== undefined) {
      look(at + '/' + name, value.$Kind, value)
    } else if (name[0] !== '$') {
      look(at + '/' + name, { EntityType: 'Property', EntityContainer: 'EntitySet' }[kind], value)
    }
  }
}
for (const [name, value] of Object.entries(found.ours['Gangway.Report'])) look(name, value.$Kind, value)
process.stdout.write(JSON.stringify(found))
