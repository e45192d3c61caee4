// Verifies pushes with two libraries: reads one push a line, {"secret", "headers", "body"}, and prints for each what
// either library found: "right", or why not.
import { createInterface } from 'node:readline'
import { Webhook as Standard } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'

function verdict(Webhook, { secret, headers, body }) {
  try {
    new Webhook(secret).verify(body, headers)
    return 'right'
  } catch (error) {
    return error.message
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const push = JSON.parse(line)
  console.log(JSON.stringify({ standardwebhooks: verdict(Standard, push), svix: verdict(Svix, push) }))
}
