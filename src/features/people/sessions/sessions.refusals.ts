import { tooManyAtOnce } from './sign-in/passwords.service.js';
import { tooManyAttempts } from './sign-in/sign-in-throttle.repository.js';
import { wrongPassword, signUpIsClosed } from './sign-in/sign-in.service.js';
import { emailIsTaken } from './users/users.repository.js';
import {
  wrongCode,
  wrongPasswordFor,
  wrongCurrentPassword,
} from './users/user-security.service.js';
import { notBegun, isOnAlready } from './sign-in/second-factors.service.js';
import { sendsNoMail, tooManyLinks } from './links/password-link.service.js';
import { linkIsNoGood } from './links/one-time-links.repository.js';
import { addressIsUnverified, emailIsNotVerified } from './oidc/oidc-sign-in.service.js';
import { callbackRejected, providerUnavailable, noProvider } from './oidc/oidc-client.js';
import type { RouteRefusals } from '../../../platform/openapi/route-decorators.js';

export const SESSION = {
  create: [
    ['Wrong email or password', wrongPassword()],
    ['Too many attempts', tooManyAttempts(60_000)],
    ['Too many concurrent sign-ins', tooManyAtOnce()],
  ],
} satisfies RouteRefusals;

export const USERS = {
  create: [
    ['Sign-up is closed', signUpIsClosed()],
    ['Email address in use', emailIsTaken()],
  ],
} satisfies RouteRefusals;

export const USER = {
  changePassword: [['Wrong password', wrongCurrentPassword()]],
  beginTwoFactor: [
    ['Wrong password', wrongPasswordFor()],
    ['Already on', isOnAlready()],
  ],
  confirmTwoFactor: [
    ['Wrong code', wrongCode()],
    ['Not started', notBegun()],
  ],
  turnOffTwoFactor: [['Wrong code', wrongCode()]],
  renewRecoveryCodes: [['Wrong code', wrongCode()]],
} satisfies RouteRefusals;

export const LINKS = {
  preview: [
    ['Used', linkIsNoGood('used')],
    ['Expired', linkIsNoGood('expired')],
    ['Replaced or revoked', linkIsNoGood('revoked')],
    ['Unknown', linkIsNoGood('unknown')],
  ],
  requestPassword: [
    ['No mail server', sendsNoMail()],
    ['Too many requests', tooManyLinks(60)],
  ],
  use: [
    ['Used', linkIsNoGood('used')],
    ['Wrong password', wrongPassword()],
  ],
} satisfies RouteRefusals;

export const OIDC = {
  start: [
    ['No provider', noProvider()],
    ['Provider unavailable', providerUnavailable()],
  ],
  finish: [
    ['Unexpected callback', callbackRejected()],
    ['Email address not verified', emailIsNotVerified()],
    ['Unverified user with the address', addressIsUnverified()],
  ],
} satisfies RouteRefusals;
