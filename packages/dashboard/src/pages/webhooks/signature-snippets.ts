/**
 * Programs that verify a delivery by Standard Webhooks (https://www.standardwebhooks.com), as
 * docs/guides/receive-webhooks.md describes. They use only the standard library.
 */
export const SIGNATURE_SNIPPETS = [
  {
    value: 'node',
    title: 'Node',
    text: `import { createHmac, timingSafeEqual } from 'node:crypto';

const secret = process.env.WEBHOOK_SECRET; // whsec_…
// The part after whsec_ is base64. Other secrets are used as they are.
const key = secret.startsWith('whsec_')
  ? Buffer.from(secret.slice(6), 'base64')
  : Buffer.from(secret);

/**
 * Returns the event of a delivery. Throws if the signature is invalid. \`headers\` are those of
 * node:http. \`body\` is a Buffer with the raw, unparsed body.
 */
export function verify(headers, body) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (!id || !timestamp || !signatures) throw new Error('The signature headers are missing.');
  // Rejects replayed requests.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) {
    throw new Error('The timestamp is more than five minutes off.');
  }
  const hmac = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`).update(body);
  const expected = Buffer.from(\`v1,\${hmac.digest('base64')}\`);
  // During a rotation, there are two signatures.
  const holds = signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!holds) throw new Error('No signature matches this body and secret.');
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
# The part after whsec_ is base64. Other secrets are used as they are.
KEY = base64.b64decode(SECRET[6:]) if SECRET.startswith("whsec_") else SECRET.encode()


def verify(headers, body: bytes):
    """Returns the event of a delivery. Raises ValueError if the signature is invalid.

    \`headers\` has lowercase names. \`body\` is the raw, unparsed body.
    """
    try:
        message_id = headers["webhook-id"]
        timestamp = headers["webhook-timestamp"]
        signatures = headers["webhook-signature"]
    except KeyError as missing:
        raise ValueError(f"The header {missing} is missing.") from missing
    # Rejects replayed requests.
    if abs(time.time() - int(timestamp)) > 300:
        raise ValueError("The timestamp is more than five minutes off.")
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    # During a rotation, there are two signatures.
    if not any(hmac.compare_digest(expected, one.encode()) for one in signatures.split(" ")):
        raise ValueError("No signature matches this body and secret.")
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

// Verify returns an error if the delivery was not signed with the secret (whsec_…).
// The body is the raw, unparsed body.
func Verify(secret string, header http.Header, body []byte) error {
	// The part after whsec_ is base64. Other secrets are used as they are.
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
		return errors.New("the signature headers are missing")
	}
	// Rejects replayed requests.
	if age := time.Since(time.Unix(seconds, 0)); age > 5*time.Minute || age < -5*time.Minute {
		return errors.New("the timestamp is more than five minutes off")
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(header.Get("webhook-id") + "." + timestamp + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// During a rotation, there are two signatures.
	for _, given := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(given), []byte(expected)) {
			return nil
		}
	}
	return errors.New("no signature matches this body and secret")
}
`,
  },
] as const;
