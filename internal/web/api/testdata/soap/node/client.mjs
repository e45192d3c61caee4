// Uploads with soap, a SOAP client library for Node.js, and prints what came back as JSON.
//
//	node client.mjs WSDL PORT < CALLS
//
// It takes and prints what client.py does.
import { text } from 'node:stream/consumers'
import soap from 'soap'

const elements = { UploadTravellers: 'traveller', UploadTravelRequests: 'travel_request', UploadCrewChanges: 'crew_change' }

// problem turns the detail of a fault into texts by their names, and lists of what has parts.
function problem(detail) {
	const { error, ...members } = Object.values(detail)[0]
	if (error) members.error = [error].flat().map(part => Object.values(part))
	return members
}

const [wsdl, port] = process.argv.slice(2)
const client = await soap.createClientAsync(wsdl, { forceSoap12Headers: port === 'Soap12' })
const [service] = Object.keys(client.wsdl.services)

function call({ key, operation, records }) {
	client.clearHttpHeaders()
	client.addHttpHeader('X-Api-Key', key)
	return new Promise(resolve => client[service][port][operation]({ [elements[operation]]: records }, (err, answer) => {
		if (!err) return resolve({ answer })
		const fault = err.root?.Envelope?.Body?.Fault
		if (!fault) throw err
		resolve({
			code: fault.faultcode ?? fault.Code.Value, message: fault.faultstring ?? fault.Reason.Text.$value,
			problem: problem(fault.detail ?? fault.Detail),
		})
	}))
}

const results = []
for (const one of JSON.parse(await text(process.stdin))) results.push(await call(one))
console.log(JSON.stringify(results))
