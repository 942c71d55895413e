import { readdirSync } from 'node:fs';
import { z } from 'zod';
import { nearestName } from '../http/envelope/nearest-name.js';
import { isNetwork } from '../network/ip-networks.js';
import { MODEL_PROVIDERS } from './model-settings.js';

/** One of several values. The message for any other one names the one that it resembles or abbreviates. */
const oneOf = <const Value extends string>(values: readonly Value[]) =>
  z.enum(values, {
    error: ({ input }) => {
      const given = String(input).trim().toLowerCase();
      const meant = nearestName(given, values) ?? values.find((value) => value.startsWith(given));
      const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
      return `must be ${values.slice(0, -1).join(', ')} or ${String(values.at(-1))}${hint}`;
    },
  });

/** A whole number within bounds, in decimal digits. */
const integer = (what: string, min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,12}$/, `is not a whole number; give ${what}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be ${what}`);

/** Default for the maximum bytes of a request body. */
export const DEFAULT_BODY_LIMIT = 8 * 1024 ** 2;

/** Default for the maximum bytes of an imported file. */
export const DEFAULT_IMPORT_LIMIT = 16 * 1024 ** 2;

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1024,
  mb: 1024 ** 2,
  gb: 1024 ** 3,
};

/** A size such as `512kb`, `8mb` or a number of bytes; the result is in bytes. */
const byteSize = z
  .string()
  .regex(
    /^\d{1,12}(b|kb|mb|gb)?$/i,
    'is not a size; write bytes or a number with kb or mb, such as 8mb',
  )
  .transform((text) => {
    const [, digits = '0', unit = ''] = /^(\d+)([a-z]*)$/i.exec(text) ?? [];
    return Number(digits) * (UNITS[unit.toLowerCase()] ?? 1);
  })
  .refine((bytes) => bytes >= 1024 && bytes <= 64 * 1024 ** 2, 'must be between 1kb and 64mb');

const flag = oneOf(['true', 'false']).transform((value) => value === 'true');

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

/** True if every % begins an escape, which drivers require. */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const serverUrl = (protocols: readonly string[], example: string) =>
  z.string().refine((text) => {
    if (!URL.canParse(text)) return false;
    const { protocol, hostname, searchParams, username, password } = new URL(text);
    if (!isEncoded(username) || !isEncoded(password)) return false;
    return protocols.includes(protocol) && (hostname !== '' || searchParams.has('host'));
  }, `is not a server address; write it like ${example}, and write a % in the user name or password as %25`);

const postgresUrl = serverUrl(
  ['postgres:', 'postgresql:'],
  'postgres://user:password@host:5432/database',
);

const networks = list.refine(
  (items) => items.every(isNetwork),
  'contains something that is not an address or a network; write addresses or CIDR ranges, such as 10.0.0.0/8,192.0.2.7',
);

const origins = list.refine(
  (items) =>
    items.every((item) => item === '*' || (URL.canParse(item) && new URL(item).origin === item)),
  'contains something that is not an origin; write scheme, host and port only, such as https://app.example.com',
);

/** A public origin: scheme, host and port. */
const publicUrl = z
  .string()
  .refine(
    (text) =>
      URL.canParse(text) &&
      /^https?:$/.test(new URL(text).protocol) &&
      [new URL(text).origin, `${new URL(text).origin}/`].includes(text),
    'is not the address of a service; write scheme, host and port only, such as https://documents.example.com',
  )
  .transform((text) => new URL(text).origin);

/** `false`, the number of proxies, or their addresses, in the format of Express' "trust proxy". */
const trustedProxies = z.string().transform((text, context): false | number | string[] => {
  if (text === 'false') return false;
  if (/^\d{1,3}$/.test(text)) return Number(text);
  const items = list.parse(text);
  const named = ['loopback', 'linklocal', 'uniquelocal'];
  if (items.length > 0 && items.every((item) => named.includes(item) || isNetwork(item)))
    return items;
  context.addIssue({
    code: 'custom',
    message:
      'must be false, the number of proxies in front, or their addresses, such as 1 or 10.0.0.0/8 or loopback',
  });
  return z.NEVER;
});

/** Maximum delivery attempts, and maximum wait before one: a week. */
const MAX_ATTEMPTS = 50;
const LONGEST_WAIT_S = 7 * 24 * 60 * 60;

/** Seconds to wait before each attempt, comma-separated. The result is in milliseconds. */
const retrySchedule = z.string().transform((text, context): readonly number[] => {
  const items = text.split(',').map((item) => item.trim());
  const seconds = items.map(Number);
  const isValid =
    items.length <= MAX_ATTEMPTS &&
    items.every((item) => /^\d{1,6}(\.\d{1,3})?$/.test(item)) &&
    seconds.every((wait) => wait <= LONGEST_WAIT_S);
  if (isValid) return seconds.map((wait) => Math.round(wait * 1000));
  context.addIssue({
    code: 'custom',
    message: `must be the seconds to wait before each attempt, at most ${String(MAX_ATTEMPTS)} of them up to ${String(LONGEST_WAIT_S)}, such as 0,5,300`,
  });
  return z.NEVER;
});

/** 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h: 75 hours and 35 minutes in total. */
const DEFAULT_RETRY_SCHEDULE = retrySchedule.parse(
  '0,5,300,1800,7200,18000,36000,50400,72000,86400',
);

const base64Key = z
  .string()
  .refine(
    (text) => /^[A-Za-z0-9+/]{43}=$/.test(text),
    'is not 32 bytes in base64; create one with: openssl rand -base64 32',
  )
  .transform((text) => Buffer.from(text, 'base64'));

const base64Keys = list.transform((items, context): readonly Buffer[] => {
  const keys = items.map((item) => base64Key.safeParse(item).data);
  if (keys.every((key) => key !== undefined)) return keys;
  context.addIssue({
    code: 'custom',
    message:
      'contains something that is not 32 bytes in base64; write the former key, or several separated by commas',
  });
  return z.NEVER;
});

function isReadableFolder(path: string): boolean {
  try {
    readdirSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Who can sign up: everyone, or only people invited by the operator or a member. */
export const SIGN_UP = ['open', 'closed'] as const;
export type SignUp = (typeof SIGN_UP)[number];

/** Default folder of the embedded database. */
export const DEFAULT_DATA_DIR = '.data';

/** How the log is written: one JSON object or one line of text per entry. */
const LOG_FORMATS = ['json', 'text'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** Every variable that the service reads, with its format and default. docs/operate/configuration.md lists the same names. */
export const environment = z.object({
  NODE_ENV: oneOf(['production', 'development', 'test']).default('development'),
  PROCESS_ROLE: oneOf(['all', 'api', 'worker']).default('all'),
  PORT: integer('a port from 0 to 65535', 0, 65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default(DEFAULT_DATA_DIR),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  DATABASE_READ_URL: postgresUrl.optional(),
  EMBEDDED_DATABASE: flag.optional(),
  DATABASE_POOL_SIZE: integer('a number of connections from 1 to 500', 1, 500).default(10),
  MIGRATE_ON_START: flag.default(true),
  START_TIMEOUT_S: integer('seconds from 0 to 3600', 0, 3_600).default(60),
  SECRETS_KEY: base64Key.optional(),
  SECRETS_KEY_PREVIOUS: base64Keys.default([]),
  OIDC_ISSUER: serverUrl(['https:', 'http:'], 'https://login.example.com').optional(),
  OIDC_CLIENT_ID: z.string().max(1_000, 'is longer than 1000 characters').optional(),
  OIDC_CLIENT_SECRET: z.string().max(1_000, 'is longer than 1000 characters').optional(),
  OIDC_NAME: z.string().max(100, 'is longer than 100 characters').optional(),
  SMTP_URL: serverUrl(['smtp:', 'smtps:'], 'smtps://user:password@mail.example.com').optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\s<>@]+@[^\s<>@]+$/, 'is not an e-mail address; write it like documents@example.com')
    .optional(),
  SIGNUP: oneOf(SIGN_UP).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: serverUrl(
    ['http:', 'https:'],
    'http://collector.example.com:4318',
  ).optional(),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  LOG_FORMAT: oneOf(LOG_FORMATS).optional(),
  BODY_LIMIT: byteSize.default(DEFAULT_BODY_LIMIT),
  IMPORT_LIMIT: byteSize.default(DEFAULT_IMPORT_LIMIT),
  CONVERSION_THREADS: integer('a number of threads from 1 to 16', 1, 16).default(2),
  CONVERSION_TIMEOUT_SECONDS: integer('seconds from 1 to 600', 1, 600).default(30),
  TRUST_PROXY: trustedProxies.default(false),
  CORS_ORIGINS: origins.default([]),
  PUBLIC_URL: publicUrl.optional(),
  OAUTH: oneOf(['on', 'off']).default('on'),
  TEST_RECEIVERS: flag.optional(),
  SHUTDOWN_DELAY_MS: integer('milliseconds from 0 to 4000', 0, 4_000).optional(),
  EVENT_RETENTION_DAYS: integer('days from 1 to 3650', 1, 3650).default(30),
  REQUEST_LOG_DAYS: integer('days from 0 to 365', 0, 365).default(7),
  SPELL_DICTIONARIES: z
    .string()
    .refine(isReadableFolder, 'is not a folder that this user can read; correct it')
    .optional(),
  WARM_UP: flag.default(true),
  WEBHOOK_ALLOWED_NETWORKS: networks.optional(),
  WEBHOOK_ALLOW_HTTP: flag.default(false),
  WEBHOOK_RETRY_SCHEDULE: retrySchedule.default(DEFAULT_RETRY_SCHEDULE),
  WEBHOOK_TIME_LIMIT_SECONDS: integer('seconds from 1 to 30', 1, 30).default(15),
  WEBHOOK_CONCURRENCY: integer('a number of deliveries from 1 to 200', 1, 200).default(20),
  AI_PROVIDER: oneOf(MODEL_PROVIDERS).optional(),
  AI_BASE_URL: z.string().max(2048, 'is longer than 2048 characters').optional(),
  AI_MODEL: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters without a space')
    .optional(),
  AI_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,4096}$/, 'must be printable ASCII characters without a space')
    .optional(),
  AI_ALLOWED_NETWORKS: networks.optional(),
  AI_TIME_LIMIT_SECONDS: integer('seconds from 1 to 300', 1, 300).default(60),
});
export type Environment = z.output<typeof environment>;
