from __future__ import annotations

import base64
import hashlib
import hmac
import unittest
from email.message import Message
from typing import Any, Dict, List, Union

from document_service import WebhookVerificationError, verify_webhook

# The test vector of the npm package standardwebhooks.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
ID = "msg_p5jXN8AQM9LWM0D4loKWxJek"
TIME = 1614265330
BODY = '{"test": 2432232314}'
SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def headers(signature: str = SIGNATURE, time: Union[int, str] = TIME) -> Dict[str, str]:
    return {"webhook-id": ID, "webhook-timestamp": str(time), "webhook-signature": signature}


def sign(secret: str, body: bytes) -> str:
    signed = f"{ID}.{TIME}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(secret.encode(), signed, hashlib.sha256).digest()).decode()


class VerifyWebhook(unittest.TestCase):
    def test_accepts_the_vector_of_standard_webhooks(self) -> None:
        for payload in (BODY, BODY.encode(), bytearray(BODY.encode()), memoryview(BODY.encode())):
            event = verify_webhook(payload, headers(), SECRET, now=TIME)
            self.assertEqual(dict(event), {"test": 2432232314})

    def test_headers_may_have_any_case_and_type(self) -> None:
        upper = {name.upper(): value for name, value in headers().items()}
        lists: Dict[str, List[str]] = {name: [value] for name, value in headers().items()}
        parsed = Message()
        for name, value in headers().items():
            parsed[name.title()] = value
        verify_webhook(BODY, upper, SECRET, now=TIME)
        verify_webhook(BODY, lists, SECRET, now=TIME)
        verify_webhook(BODY, parsed, SECRET, now=TIME)

    def test_several_signatures_and_secrets(self) -> None:
        text = "a secret of at least 24 characters"
        both = f"v1a,x v1,AAAA {SIGNATURE} {sign(text, BODY.encode())}"
        verify_webhook(BODY, headers(both), ["whsec_AAAA", SECRET], now=TIME)
        verify_webhook(BODY, headers(sign(text, BODY.encode())), [SECRET, text], now=TIME)

    def test_refuses_what_was_not_signed(self) -> None:
        for body, given in (
            (BODY + " ", headers()),
            (BODY, headers("v1,g0hM9SsE")),
            (BODY, headers("v2," + SIGNATURE[3:])),
            (BODY, headers("")),
            (BODY, headers(time="1e9")),
            (BODY, headers(time=TIME + 1)),
            (BODY, {**headers(), "webhook-id": "other"}),
            (BODY, {}),
            ("not json", headers(sign("x" * 24, b"not json"))),
        ):
            with self.subTest(body=body, headers=given), self.assertRaises(WebhookVerificationError):
                verify_webhook(body, given, [SECRET, "x" * 24], now=TIME)

    def test_refuses_old_and_early_deliveries(self) -> None:
        for now, words in ((TIME + 301, "301 seconds ago"), (TIME - 301, "301 seconds ahead")):
            with self.assertRaisesRegex(WebhookVerificationError, words):
                verify_webhook(BODY, headers(), SECRET, now=now)
            verify_webhook(BODY, headers(), SECRET, now=now, tolerance=301)
        with self.assertRaises(WebhookVerificationError):
            verify_webhook(BODY, headers(), SECRET)

    def test_needs_a_secret(self) -> None:
        for secret in ("", [], "whsec_", ["", SECRET]):
            with self.assertRaises(ValueError):
                verify_webhook(BODY, headers(), secret, now=TIME)

    def test_needs_the_raw_body(self) -> None:
        bodies: List[Any] = [{"test": 2432232314}, None, 5]
        for body in bodies:
            with self.assertRaisesRegex(TypeError, "raw body"):
                verify_webhook(body, headers(), SECRET, now=TIME)


if __name__ == "__main__":
    unittest.main()
