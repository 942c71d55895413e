/**
 * Programs that check a delivery as Standard Webhooks (https://www.standardwebhooks.com) says and
 * docs/guides/receive-webhooks.md tells. They need nothing but the language.
 */
export const SIGNATURE_SNIPPETS = [
  {
    value: 'node',
    title: 'Node',
    text: `import { createHmac, timingSafeEqual } from 'node:crypto';

const secret = process.env.WEBHOOK_SECRET; // whsec_…
// What follows whsec_ is base64; any other secret signs with its own characters.
const key = secret.startsWith('whsec_')
  ? Buffer.from(secret.slice(6), 'base64')
  : Buffer.from(secret);

/**
 * The event of a delivery; throws when the signature does not hold. \`headers\` are those of
 * node:http; \`body\` is a Buffer, the body as it came, before anything parses it.
 */
export function verify(headers, body) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (!id || !timestamp || !signatures) throw new Error('This is not a signed delivery.');
  // What was recorded on the way cannot be sent again later.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) {
    throw new Error('It was not signed within the last five minutes.');
  }
  const hmac = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`).update(body);
  const expected = Buffer.from(\`v1,\${hmac.digest('base64')}\`);
  // While a secret is being rotated there are two.
  const holds = signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!holds) throw new Error('No signature is of this body and this secret.');
  return JSON.parse(body);
}
`,
  },
  {
    value: 'python',
    title: 'Python',
    text: `import base64
import hashlib
import hmac
import json
import os
import time

SECRET = os.environ["WEBHOOK_SECRET"]  # whsec_…
# What follows whsec_ is base64; any other secret signs with its own characters.
KEY = base64.b64decode(SECRET[6:]) if SECRET.startswith("whsec_") else SECRET.encode()


def verify(headers, body: bytes):
    """The event of a delivery; raises ValueError when the signature does not hold.

    \`headers\` has its names in lower case; \`body\` is as it came, before anything parses it.
    """
    try:
        message_id = headers["webhook-id"]
        timestamp = headers["webhook-timestamp"]
        signatures = headers["webhook-signature"]
    except KeyError as missing:
        raise ValueError(f"This is not a signed delivery: {missing} is missing.") from missing
    # What was recorded on the way cannot be sent again later.
    if abs(time.time() - int(timestamp)) > 300:
        raise ValueError("It was not signed within the last five minutes.")
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    # While a secret is being rotated there are two.
    if not any(hmac.compare_digest(expected, one.encode()) for one in signatures.split(" ")):
        raise ValueError("No signature is of this body and this secret.")
    return json.loads(body)
`,
  },
  {
    value: 'go',
    title: 'Go',
    text: `package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Verify tells whether a delivery was signed with the secret (whsec_…). The body is as it came,
// before anything parses it.
func Verify(secret string, header http.Header, body []byte) error {
	// What follows whsec_ is base64; any other secret signs with its own characters.
	key := []byte(secret)
	if encoded, found := strings.CutPrefix(secret, "whsec_"); found {
		decoded, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil {
			return err
		}
		key = decoded
	}
	timestamp := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return errors.New("this is not a signed delivery")
	}
	// What was recorded on the way cannot be sent again later.
	if age := time.Since(time.Unix(seconds, 0)); age > 5*time.Minute || age < -5*time.Minute {
		return errors.New("it was not signed within the last five minutes")
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(header.Get("webhook-id") + "." + timestamp + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// While a secret is being rotated there are two.
	for _, given := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(given), []byte(expected)) {
			return nil
		}
	}
	return errors.New("no signature is of this body and this secret")
}
`,
  },
] as const;
