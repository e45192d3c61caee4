// Receives what Gangway pushes (B5), and prints a line for each action:
//
//	WEBHOOK_SECRET=whsec_… node receiver.mjs [PORT [FILE]]
//
// It checks the signature, drops repeats, keeps the order of a booking's actions, and answers once the push
// is stored. It needs Node.js 18 and no package.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { fsyncSync, ftruncateSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [port = '8090', name = 'pushes.tsv'] = process.argv.slice(2)
const secret = process.env.WEBHOOK_SECRET
if (!secret) throw new Error('WEBHOOK_SECRET is missing: gangway outlet set printed it')

const tolerance = 5 * 60 // seconds; so that nobody can send again later what they have overheard
const longest = 16 << 20 // bytes of a body that are read, before anybody knows whose it is

// isSigned says whether a push carries a signature made with our secret. There may be several: while
// a secret is being replaced, one is made with the old and one with the new.
function isSigned(headers, body) {
  const id = headers['webhook-id'], stamp = headers['webhook-timestamp']
  if (!id || !/^[0-9]{1,12}$/.test(stamp) || Math.abs(Date.now() / 1000 - stamp) > tolerance) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const mac = createHmac('sha256', key).update(`${id}.${stamp}.`, 'latin1').update(body)
  const ours = Buffer.from('v1,' + mac.digest('base64'))
  return (headers['webhook-signature'] ?? '').split(' ').map((given) => Buffer.from(given, 'latin1'))
    .some((given) => given.length === ours.length && timingSafeEqual(given, ours))
}

// The inbox is a file with every push that was received, a line each: webhook-id, booking, sequence and record,
// between tabs. In your own system it is a table whose key is the webhook-id, written in the transaction
// that changes the booking.
const file = openSync(name, 'a+', 0o600)
const seen = new Set() // webhook-ids
const latest = new Map() // the highest sequence of each booking

const text = readFileSync(name)
const whole = text.lastIndexOf('\n') + 1
// We were killed while we wrote the rest: nobody was told that it is stored, so it comes again.
ftruncateSync(file, whole)
for (const line of text.toString('utf8', 0, whole).split('\n').slice(0, -1)) {
  const [id, booking, sequence] = line.split('\t', 3)
  note(id, booking, Number(sequence))
}

// note remembers a push, and says whether the booking is now as its record says.
function note(id, booking, sequence) {
  seen.add(id)
  // If a later action is known, this one goes into the booking's history only.
  if (sequence < (latest.get(booking) ?? 0)) return 'late'
  latest.set(booking, sequence)
  return ''
}

// keep stores a push, unless it was received before. When it returns, it is on the disk.
function keep(id, booking, sequence, body) {
  if (seen.has(id)) return 'repeat'
  const line = body.toString().replace(/[\r\n\t]/g, ' ') // which only ever stand between the tokens of JSON
  try {
    writeFileSync(file, `${id}\t${booking}\t${sequence}\t${line}\n`)
    fsyncSync(file)
  } catch (error) {
    console.error('what cannot be stored is not answered, and comes again:', error.message)
    process.exit(1)
  }
  return note(id, booking, sequence)
}

// receive returns the status: 204 once the push is stored. Any other makes Gangway push again, for three days.
function receive(request, body) {
  if (request.method !== 'POST' || request.url.split('?')[0] !== '/api/sync_flights') return 404
  if (!isSigned(request.headers, body)) return 401
  let record
  try {
    record = JSON.parse(body)
  } catch {
    return 400
  }
  const sequence = record?.metadata?.sequence
  if (!record?.id || !Number.isInteger(sequence) || sequence < 1 || record.actions?.length !== 1) return 400
  const outcome = keep(request.headers['webhook-id'], record.id, sequence, body)
  console.log(record.locator, sequence, record.state, outcome)
  return 204
}

createServer((request, response) => {
  const chunks = []
  let length = 0
  request.on('data', (chunk) => {
    length += chunk.length
    if (length > longest) return request.destroy()
    chunks.push(chunk)
  })
  request.on('end', () => response.writeHead(receive(request, Buffer.concat(chunks))).end())
}).listen(Number(port), '127.0.0.1', () => console.log(`receiving at http://127.0.0.1:${port}/api/sync_flights`))
