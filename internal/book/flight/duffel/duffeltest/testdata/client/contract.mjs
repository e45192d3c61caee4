// Uses the model of Duffel with Duffel's own client, and checks every answer
// against Duffel's own types.
//
//   node contract.mjs <address of the model> <token>
import assert from 'node:assert/strict'
import { Duffel, DuffelError } from '@duffel/api'
import ts from 'typescript'

const [basePath, token] = process.argv.slice(2)
const duffel = new Duffel({ token, basePath })
const day = (n) => new Date(Date.UTC(2026, 10, 2 + n)).toISOString().slice(0, 10)

const answers = [] // [type, answer]
const is = (type, answer) => {
  answers.push([type, answer])
  return answer
}

const passenger = (id) => ({
  id, title: 'ms', gender: 'f', given_name: 'Maria', family_name: 'Santos', born_on: '1990-04-30',
  email: 'maria@example.com', phone_number: '+442080160508',
  identity_documents: [{ type: 'passport', unique_identifier: 'P7654321B', issuing_country_code: 'PH', expires_on: '2032-01-01' }],
})

const search = async (origin, destination, extra = {}) => {
  const asked = { slices: [{ origin, destination, departure_date: day(30), departure_time: null, arrival_time: null }], passengers: [{ type: 'adult' }], cabin_class: 'economy', ...extra }
  const { data } = await duffel.offerRequests.create({ ...asked, return_offers: true, supplier_timeout: 10000 })
  return is('OfferRequest', data)
}

const order = async (offer, type, metadata = {}) => {
  const payment = type === 'instant' ? { payments: [{ type: 'balance', amount: offer.total_amount, currency: offer.total_currency }] } : {}
  const { data } = await duffel.orders.create({ type, selected_offers: [offer.id], passengers: [passenger(offer.passengers[0].id)], metadata, ...payment })
  return is('Order', data)
}

const refused = async (type, code, call) => {
  const error = await call.then(() => assert.fail(`${code} was not refused`), (e) => e)
  assert.ok(error instanceof DuffelError, String(error))
  assert.equal(`${error.errors[0].type} ${error.errors[0].code}`, `${type} ${code}`)
  assert.ok(error.meta.request_id && error.meta.status === error.status)
}

async function holdPayChangeCancel() {
  const found = await search('MNL', 'AMS', { passengers: [{ fare_type: 'marine' }], max_connections: 1 })
  const marine = found.offers.find((o) => o.private_fares.length > 0)
  assert.equal(marine.passengers[0].fare_type, 'marine')
  const { data: offer } = await duffel.offers.get(marine.id)
  is('Offer', offer)
  assert.equal(offer.payment_requirements.requires_instant_payment, false)
  const held = await order(offer, 'hold', { reference: 'r1' })
  assert.ok(held.payment_status.awaiting_payment && held.documents.length === 0)
  assert.equal(held.metadata.reference, 'r1')
  await refused('validation_error', 'offer_request_already_booked', order(found.offers[0], 'instant'))
  assert.equal((await duffel.orders.list({ offer_id: offer.id })).data.length, 1)

  const quote = is('OrderCancellation', (await duffel.orderCancellations.create({ order_id: held.id })).data)
  assert.equal(`${quote.refund_amount} ${quote.refund_to}`, '0.00 awaiting_payment')

  const pay = (amount) => duffel.payments.create({ order_id: held.id, payment: { type: 'balance', amount, currency: held.total_currency } })
  await refused('validation_error', 'payment_amount_does_not_match_order_amount', pay('1.00'))
  is('Payment', (await pay(held.total_amount)).data)
  await refused('invalid_state_error', 'already_paid', pay(held.total_amount))
  await refused('invalid_state_error', 'order_cancellation_stale', duffel.orderCancellations.confirm(quote.id))
  const paid = is('Order', (await duffel.orders.get(held.id)).data)
  assert.ok(paid.payment_status.paid_at && /^\d{13}$/.test(paid.documents[0].unique_identifier))

  const asked = is('OrderChangeRequestResponse', (await duffel.orderChangeRequests.create({
    order_id: held.id,
    slices: { remove: [{ slice_id: paid.slices[0].id }], add: [{ origin: 'MNL', destination: 'AMS', departure_date: day(33), cabin_class: 'economy' }] },
  })).data)
  const other = is('OrderChangeOffer', (await duffel.orderChangeOffers.get(asked.order_change_offers[0].id)).data)
  const change = (await duffel.orderChanges.create({ selected_order_change_offer: other.id })).data
  is('OrderChange', change)
  const due = Number(change.change_total_amount) > 0 ? { payment: { type: 'balance', amount: change.change_total_amount, currency: change.change_total_currency } } : {}
  assert.ok(is('OrderChange', (await duffel.orderChanges.confirm(change.id, due)).data).confirmed_at)

  const again = (await duffel.orderCancellations.create({ order_id: held.id })).data
  assert.ok(is('OrderCancellation', (await duffel.orderCancellations.confirm(again.id)).data).confirmed_at)
  const gone = is('Order', (await duffel.orders.get(held.id)).data)
  assert.ok(gone.cancelled_at && gone.cancellation.id === again.id && gone.available_actions.length === 0)
  await refused('invalid_state_error', 'already_cancelled', duffel.orderCancellations.create({ order_id: held.id }))
}

async function instant() {
  const found = await search('LON', 'AMS')
  assert.equal(found.slices[0].origin_type, 'city')
  const offer = found.offers.find((o) => o.payment_requirements.requires_instant_payment)
  await refused('validation_error', 'validation_inclusion', order(offer, 'hold'))
  const made = await order(offer, 'instant')
  assert.ok(made.payment_status.paid_at && made.documents.length === 1)
}

async function specialRoutes() {
  assert.equal((await search('PVD', 'RAI')).offers.length, 0)
  assert.ok((await search('JFK', 'EWR')).offers.every((o) => !o.payment_requirements.requires_instant_payment))
  assert.ok((await search('LHR', 'DXB')).offers.every((o) => o.slices[0].segments.length > 1))
  assert.ok((await search('DXB', 'AMS')).offers.every((o) => o.slices[0].segments[0].stops.length === 1))
  assert.ok((await search('BTS', 'MRU')).offers.every((o) => o.slices[0].segments[0].passengers[0].baggages.length === 0))
  await refused('api_error', 'gateway_timeout', search('STN', 'LHR'))
  const [moved] = (await search('LHR', 'STN')).offers
  const { data: now } = await duffel.offers.get(moved.id)
  assert.notEqual(now.total_amount, moved.total_amount)
  await refused('airline_error', 'offer_no_longer_available', order(now, 'instant'))
  await refused('airline_error', 'insufficient_balance', order((await search('LGW', 'STN')).offers[0], 'instant'))
  const credited = await order((await search('LTN', 'SYD')).offers[0], 'instant')
  const quote = is('OrderCancellation', (await duffel.orderCancellations.create({ order_id: credited.id })).data)
  assert.ok(quote.refund_to === 'airline_credits' && quote.airline_credits.length === 1)
}

async function errors() {
  const stranger = new Duffel({ token: 'duffel_test_nobody', basePath })
  await refused('authentication_error', 'access_token_not_found', stranger.orders.list())
  const old = new Duffel({ token, basePath, apiVersion: 'v1' })
  await refused('invalid_request_error', 'unsupported_version', old.orders.list())
  await refused('invalid_request_error', 'not_found', duffel.orders.get('ord_0000NoSuchOrder'))
  await refused('validation_error', 'validation_required', search('LHR', 'AMS', { passengers: [{ type: 'adult', age: 40 }] }))
  await refused('validation_error', 'validation_inclusion', duffel.orders.list({ limit: 201 }))
}

// Values that are documented as nullable, though the types do not say so.
const nullable = ['age', 'confirmed_at', 'payment_required_by', 'price_guarantee_expires_at', 'seat']

// typeOf writes the type of a value so narrowly that only this value has it.
function typeOf(value, key) {
  if (value === null && nullable.includes(key)) return 'any'
  if (Array.isArray(value)) return value.length ? `(${[...new Set(value.map((v) => typeOf(v)))].join(' | ')})[]` : 'never[]'
  if (value !== null && typeof value === 'object') return `{ ${Object.entries(value).map(([k, v]) => `${JSON.stringify(k)}: ${typeOf(v, k)}`).join('; ')} }`
  return JSON.stringify(value)
}

// misfits lists where answers do not have the types that Duffel publishes.
function misfits() {
  const types = [...new Set(answers.map(([type]) => type))]
  const source = `import type { ${types.join(', ')} } from '@duffel/api/types'\n` +
    answers.map(([type, answer], i) => `declare const answer${i}: ${typeOf(answer)}\nexport const checked${i}: ${type} = answer${i}\n`).join('')
  const options = { strict: true, noEmit: true, skipLibCheck: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, types: [] }
  const name = new URL('answers.ts', import.meta.url).pathname
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile } = host
  host.fileExists = (f) => f === name || fileExists(f)
  host.readFile = (f) => (f === name ? source : readFile(f))
  host.getSourceFile = (f, ...rest) => (f === name ? ts.createSourceFile(f, source, options.target) : getSourceFile(f, ...rest))
  const typings = new URL('node_modules/@duffel/api/dist/typings.d.ts', import.meta.url).pathname
  return ts.getPreEmitDiagnostics(ts.createProgram([name, typings], options, host)).map((d) => ts.flattenDiagnosticMessageText(d.messageText, '\n'))
}

for (const walk of [holdPayChangeCancel, instant, specialRoutes, errors]) {
  await walk().catch((error) => {
    console.error(`${walk.name}:`, error.errors ?? error)
    process.exit(1)
  })
}
const wrong = misfits()
wrong.forEach((m) => console.error(m.slice(-400), '\n'))
console.log(`${answers.length} answers held against Duffel's types`)
process.exit(wrong.length ? 1 : 0)
