import { environment } from './environment.js';
import { misspelledVariables, misspelling } from './misspelled-variables.js';

const meantBy = (name: string) => misspelledVariables({ [name]: 'x' })[0]?.meant;

describe('a variable that nothing reads', () => {
  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['WEBHOOK_ALLOWED_NETWORK', 'WEBHOOK_ALLOWED_NETWORKS'],
    ['SECRET_KEY', 'SECRETS_KEY'],
    ['TRUST_PROXI', 'TRUST_PROXY'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
  ])('%s is taken for a misspelled %s', (name, meant) => {
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
  ])('%s is left alone', (name) => {
    expect(meantBy(name)).toBeUndefined();
  });

  it('is told with the nearest name, and never its value', () => {
    const [found] = misspelledVariables({ DATABSE_URL: 'postgres://user:hunter2@db/x' });
    expect(found && misspelling(found)).toBe(
      'DATABSE_URL is set, which nothing reads; did you mean DATABASE_URL?',
    );
  });
});
