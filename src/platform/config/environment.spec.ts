import { readEnvironment } from './config.js';
import { environment } from './environment.js';
import { misspelledVariables } from './misspelled-variables.js';
import { ConfigurationError } from './variables.js';

const scheduleOf = (WEBHOOK_RETRY_SCHEDULE: string) =>
  readEnvironment({ WEBHOOK_RETRY_SCHEDULE }).WEBHOOK_RETRY_SCHEDULE;

describe('WEBHOOK_RETRY_SCHEDULE', () => {
  it('is in seconds and can have fractions', () => {
    expect(scheduleOf('0,5,300')).toEqual([0, 5_000, 300_000]);
    expect(scheduleOf(' 0.25 , 1 ')).toEqual([250, 1_000]);
  });

  it('defaults to ten attempts within 75 hours and 35 minutes', () => {
    const schedule = scheduleOf('');
    expect(schedule).toHaveLength(10);
    expect(schedule.reduce((sum, wait) => sum + wait, 0)).toBe((75 * 60 + 35) * 60_000 + 5_000);
  });

  it.each(['0,,5', 'soon', '-1', '0;5', '1e3', '0,604801', Array(51).fill('1').join()])(
    'with an error ends startup with a sentence: %s',
    (text) => {
      expect(() => scheduleOf(text)).toThrow(ConfigurationError);
      expect(() => scheduleOf(text)).toThrow(
        /WEBHOOK_RETRY_SCHEDULE must be the seconds to wait before each attempt.*such as 0,5,300\./,
      );
    },
  );
});

describe('the database', () => {
  const problemsOf = (variables: Record<string, string>): string => {
    try {
      readEnvironment(variables);
      return '';
    } catch (error) {
      return error instanceof ConfigurationError ? error.problems.join() : String(error);
    }
  };
  const production = { NODE_ENV: 'production' };
  const own = {
    DATABASE_URL: 'postgres://localhost/documents',
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  };

  it.each<[string, Record<string, string>]>([
    ['nothing is said in development', {}],
    ['nothing is said in development, whatever other programs read', { DATABASE_HOST: 'x' }],
    ['it is named, whatever other programs read', { ...own, DATABASE_URI: 'x' }],
    ['it is the embedded one by name', { ...production, EMBEDDED_DATABASE: 'true' }],
    ['it is an own one', { ...production, ...own }],
    ['it is an own one and not the embedded one', { ...own, EMBEDDED_DATABASE: 'false' }],
  ])('is accepted if %s', (_, variables) => {
    expect(problemsOf(variables)).toBe('');
  });

  it.each<[Record<string, string>, string]>([
    [production, 'DATABASE_URL is required in production; set it, or set EMBEDDED_DATABASE=true'],
    [{ ...production, DATABASE_URL: '' }, 'DATABASE_URL is required in production; set it'],
    [{ ...production, EMBEDDED_DATABASE: 'false' }, 'DATABASE_URL is required in production;'],
    [{ EMBEDDED_DATABASE: 'false' }, 'DATABASE_URL is required with EMBEDDED_DATABASE=false;'],
    [{ ...own, EMBEDDED_DATABASE: 'true' }, 'name two databases; remove one of them.'],
  ])('%j is refused with a sentence', (variables, sentence) => {
    expect(problemsOf(variables)).toContain(sentence);
  });

  it.each(['DATABASE_URI', 'DATABSE_URL', 'DATABASEURL', 'database_url', 'DATABASE_URL_'])(
    'is not the embedded one in production if only %s is set',
    (name) => {
      expect(problemsOf({ ...production, [name]: 'postgres://user:hunter2@db/x' })).toMatch(
        new RegExp(
          `(^|,)DATABASE_URL is required in production \\(${name} is set, but not a setting\\); set it`,
        ),
      );
    },
  );
});

/** Returns the first problem of the configuration. */
const problemOf = (variables: Record<string, string>): string | undefined => {
  try {
    readEnvironment(variables);
    return undefined;
  } catch (error) {
    return error instanceof ConfigurationError ? error.problems[0] : String(error);
  }
};

describe('a variable with a few values', () => {
  it.each([
    ['NODE_ENV', 'prod', ' (did you mean production?)'],
    ['NODE_ENV', 'Production', ' (did you mean production?)'],
    ['NODE_ENV', 'dev', ' (did you mean development?)'],
    ['NODE_ENV', 'staging', ''],
    ['NODE_ENV', 'production ', ' (did you mean production?)'],
    ['PROCESS_ROLE', 'workers', ' (did you mean worker?)'],
    ['LOG_FORMAT', 'pretty', ''],
    ['SIGNUP', 'close', ' (did you mean closed?)'],
    ['WEBHOOK_ALLOW_HTTP', 'yes', ''],
    ['WARM_UP', '0', ''],
    ['MIGRATE_ON_START', 'False', ' (did you mean false?)'],
  ])('%s=%j is refused with the values and the one that is meant', (name, value, hint) => {
    expect(problemOf({ [name]: value })).toMatch(
      new RegExp(`^${name} must be [^()]+ or \\w+${hint.replace(/[()?]/g, '\\$&')}\\.$`),
    );
  });
});

it('SPELL_DICTIONARIES must be a folder, because every analysis would fail', () => {
  expect(problemOf({ SPELL_DICTIONARIES: '/nowhere' })).toBe(
    'SPELL_DICTIONARIES is not a folder that this user can read; correct it.',
  );
  expect(problemOf({ SPELL_DICTIONARIES: 'docs' })).toBeUndefined();
});

const meantBy = (name: string) =>
  /rename it to (\w+)/.exec(misspelledVariables({ [name]: 'x' })[0] ?? '')?.[1];

describe('an unknown variable', () => {
  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['WEBHOOK_ALLOWED_NETWORK', 'WEBHOOK_ALLOWED_NETWORKS'],
    ['SECRET_KEY', 'SECRETS_KEY'],
    ['TRUST_PROXI', 'TRUST_PROXY'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['SIGN_UP', 'SIGNUP'],
    ['NODE_EVN', 'NODE_ENV'],
  ])('%s is reported as a misspelled %s', (name, meant) => {
    expect(meantBy(name)).toBe(meant);
  });

  it.each([
    'PATH',
    'HOME',
    'HOSTNAME',
    'PORTS',
    'DATABASE_PASSWORD',
    'DATABASE_HOST',
    'POSTGRES_PASSWORD',
    'REDIS_PASSWORD',
    'LOGNAME',
    'NODE_OPTIONS',
    'npm_config_cache',
    'OTEL_SERVICE_NAME',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'OTEL_EXPORTER_OTLP_TIMEOUT',
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    'OTEL_TRACES_SAMPLER_ARG',
    'XDG_DATA_DIRS',
    ...Object.keys(environment.shape),
  ])('%s is not reported', (name) => {
    expect(meantBy(name)).toBeUndefined();
  });

  it('ends a start if it resembles a setting, without its value', () => {
    expect(problemOf({ DATABSE_URL: 'postgres://user:hunter2@db/x' })).toBe(
      'DATABSE_URL is not a setting; rename it to DATABASE_URL, or remove it.',
    );
  });

  it('may resemble a setting that is set', () => {
    expect(problemOf({ CORS_ORIGIN: 'x', CORS_ORIGINS: '*' })).toBeUndefined();
  });
});
