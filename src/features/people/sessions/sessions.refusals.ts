import { tooManyAtOnce } from './passwords.js';
import { tooManyAttempts } from './sign-in-throttle.js';
import { wrongPassword } from './sign-in.service.js';
import { emailIsTaken } from './users.service.js';
import { signUpIsClosed } from './sign-up.service.js';
import { wrongCode, wrongPasswordFor } from './two-factor.service.js';
import { notBegun, isOnAlready } from './second-factors.service.js';
import { wrongCurrentPassword } from './password-change.js';
import { signInFirst } from './invitation-links.js';
import { linkIsNoGood } from './one-time-links.js';
import { emailIsNotVerified } from './oidc-sign-in.js';
import { answerRefused, providerIsAway, noProvider } from './oidc-client.js';
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
  use: [
    ['Used', linkIsNoGood('used')],
    ['Wrong password', wrongPassword()],
    ['User without a password', signInFirst()],
  ],
} satisfies RouteRefusals;

export const OIDC = {
  start: [
    ['No provider', noProvider()],
    ['Provider unavailable', providerIsAway()],
  ],
  finish: [
    ['Unexpected callback', answerRefused()],
    ['Email address not verified', emailIsNotVerified()],
  ],
} satisfies RouteRefusals;
