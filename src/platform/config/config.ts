import { resolve } from 'node:path';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { databaseProblems, secretsKeyProblems } from './database-choice.js';
import { environment, type Environment, type SignUp } from './environment.js';
import { mailProblems, mailSettings, type MailSettings } from './mail-settings.js';
import { misspelledVariables } from './misspelled-variables.js';
import { modelProblems, modelSettings, type ModelSettings } from './model-settings.js';
import { oidcProblems, oidcSettings, type OidcSettings } from './oidc-settings.js';
import { parseVariables } from './variables.js';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** The settings of one process. They are validated once at startup and injected; nothing else reads the environment. */
export class Config {
  readonly role: Environment['PROCESS_ROLE'];
  readonly production: boolean;
  readonly port: number;
  readonly host: string;
  /** Absolute folder of the embedded PostgreSQL; undefined with DATABASE_URL. */
  readonly dataDir: string | undefined;
  /** For work that needs its own session, such as migrations, LISTEN and jobs. Never leads to a pooler. */
  readonly directUrl: string;
  /** True if `databaseUrl` may lead to a pooler, which accepts no startup parameters. */
  readonly isPooled: boolean;
  /** A replica for lists, searches and counts. */
  readonly readUrl: string | undefined;
  readonly databasePoolSize: number;
  readonly migrateOnStart: boolean;
  /** Maximum time that a start waits for an unreachable database. */
  readonly startTimeoutMs: number;
  readonly signUp: SignUp;
  /** Undefined if people can sign in only by password. */
  readonly oidc: OidcSettings | undefined;
  /** Undefined if the service sends no mail. */
  readonly mail: MailSettings | undefined;
  readonly logLevel: Environment['LOG_LEVEL'];
  /** Maximum bytes of a request body. */
  readonly bodyLimit: number;
  /** Maximum bytes of an imported file. */
  readonly importLimit: number;
  /** Number of threads for file conversion. */
  readonly conversionThreads: number;
  readonly conversionTimeoutMs: number;
  readonly trustProxy: Environment['TRUST_PROXY'];
  readonly corsOrigins: readonly string[];
  /** The public origin of the service, without a trailing slash; undefined if it is not configured. */
  readonly publicUrl: string | undefined;
  /** True if apps can connect with OAuth, where the public URL permits it. */
  readonly oauth: boolean;
  /** True if the dashboard offers test receivers for webhooks. */
  readonly testReceivers: boolean;
  /** How long the process still accepts connections after it reports that it is not ready. */
  readonly shutdownDelayMs: number;
  readonly eventRetentionDays: number;
  /** 0 turns the request log off. */
  readonly requestLogDays: number;
  /** Absolute folder of additional dictionaries, as pairs `<code>.aff` and `<code>.dic`. */
  readonly spellDictionaries: string | undefined;
  /** True to load the analysis engine after the start. */
  readonly warmUp: boolean;
  /** Networks that webhooks can reach although they are not public. */
  readonly webhookAllowedNetworks: readonly string[];
  readonly webhookAllowHttp: boolean;
  /** Wait before each delivery attempt, in ms. */
  readonly webhookRetrySchedule: readonly number[];
  readonly webhookTimeLimitMs: number;
  /** Maximum deliveries in flight per webhook, over all workers. */
  readonly webhookConcurrency: number;
  /** Undefined if no model is configured; then all texts are analyzed offline. */
  readonly model: ModelSettings | undefined;

  constructor(
    env: Environment,
    /** For requests: `DATABASE_URL`, or the embedded PostgreSQL once it runs. */
    readonly databaseUrl: string,
    /** Key of 32 bytes that encrypts stored secrets. */
    readonly secretsKey: Buffer,
    /** Former keys that may still encrypt stored secrets. */
    readonly previousSecretsKeys: readonly Buffer[] = [],
  ) {
    this.role = env.PROCESS_ROLE;
    this.production = env.NODE_ENV === 'production';
    this.port = env.PORT;
    this.host = env.HOST;
    this.dataDir = env.DATABASE_URL === undefined ? resolve(env.DATA_DIR) : undefined;
    this.directUrl = env.DATABASE_DIRECT_URL ?? databaseUrl;
    this.isPooled = env.DATABASE_DIRECT_URL !== undefined;
    this.readUrl = env.DATABASE_READ_URL;
    this.databasePoolSize = env.DATABASE_POOL_SIZE;
    this.migrateOnStart = env.MIGRATE_ON_START;
    this.startTimeoutMs = env.START_TIMEOUT_S * 1_000;
    this.signUp = env.SIGNUP ?? (this.production ? 'closed' : 'open');
    this.oidc = oidcSettings(env);
    this.mail = mailSettings(env);
    this.logLevel = env.LOG_LEVEL;
    this.bodyLimit = env.BODY_LIMIT;
    this.importLimit = env.IMPORT_LIMIT;
    this.conversionThreads = env.CONVERSION_THREADS;
    this.conversionTimeoutMs = env.CONVERSION_TIMEOUT_SECONDS * 1_000;
    this.trustProxy = env.TRUST_PROXY;
    this.corsOrigins = env.CORS_ORIGINS;
    this.publicUrl = env.PUBLIC_URL;
    this.oauth = env.OAUTH === 'on';
    this.testReceivers = env.TEST_RECEIVERS ?? !this.production;
    // A developer's machine has no load balancer to wait for.
    this.shutdownDelayMs = env.SHUTDOWN_DELAY_MS ?? (this.production ? 1_000 : 0);
    this.eventRetentionDays = env.EVENT_RETENTION_DAYS;
    this.requestLogDays = env.REQUEST_LOG_DAYS;
    this.spellDictionaries =
      env.SPELL_DICTIONARIES === undefined ? undefined : resolve(env.SPELL_DICTIONARIES);
    this.warmUp = env.WARM_UP;
    this.webhookAllowedNetworks = env.WEBHOOK_ALLOWED_NETWORKS ?? (this.production ? [] : LOOPBACK);
    this.webhookAllowHttp = env.WEBHOOK_ALLOW_HTTP;
    this.webhookRetrySchedule = env.WEBHOOK_RETRY_SCHEDULE;
    this.webhookTimeLimitMs = env.WEBHOOK_TIME_LIMIT_SECONDS * 1000;
    this.webhookConcurrency = env.WEBHOOK_CONCURRENCY;
    this.model = modelSettings(env);
  }
}

/** Reads and validates all variables. Throws one `ConfigurationError` for all problems. */
export function readEnvironment(variables: NodeJS.ProcessEnv): Environment {
  return parseVariables(environment, variables, (given) => [
    ...misspelledVariables(given),
    ...databaseProblems(given),
    ...secretsKeyProblems(given),
    ...modelProblems(given),
    ...oidcProblems(given),
    ...mailProblems(given),
  ]);
}

@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: Config, useValue: config }],
      exports: [Config],
    };
  }
}
