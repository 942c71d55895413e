import { resolve } from 'node:path';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { databaseProblems, secretsKeyProblems } from './database-choice.js';
import { environment, type Environment } from './environment.js';
import { mailProblems, mailSettings, type MailSettings } from './mail-settings.js';
import { modelProblems, modelSettings, type ModelSettings } from './model-settings.js';
import { oidcProblems, oidcSettings, type OidcSettings } from './oidc-settings.js';
import { parseVariables } from './variables.js';
import type { SignUp } from './environment.js';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** The settings of one process, validated once at boot and injected everywhere; nothing else reads the environment. */
export class Config {
  readonly role: Environment['PROCESS_ROLE'];
  readonly production: boolean;
  readonly port: number;
  readonly host: string;
  /** Absolute folder of the embedded PostgreSQL; undefined with DATABASE_URL. */
  readonly dataDir: string | undefined;
  readonly databasePoolSize: number;
  readonly migrateOnStart: boolean;
  /** How long a start waits for a database that cannot be reached. */
  readonly startTimeoutMs: number;
  readonly redisUrl: string | undefined;
  /** Whether anybody may become a user. */
  readonly signUp: SignUp;
  /** Undefined where people sign in by password only. */
  readonly oidc: OidcSettings | undefined;
  /** Undefined where links are not sent by mail. */
  readonly mail: MailSettings | undefined;
  readonly logLevel: Environment['LOG_LEVEL'];
  /** Most bytes of a request body. */
  readonly bodyLimit: number;
  /** Most bytes of a file to import. */
  readonly importLimit: number;
  /** Threads that convert documents from and to files. */
  readonly conversionThreads: number;
  readonly conversionTimeoutMs: number;
  readonly trustProxy: Environment['TRUST_PROXY'];
  readonly corsOrigins: readonly string[];
  /** The origin by which people reach the service, without a slash at the end; undefined where nobody said. */
  readonly publicUrl: string | undefined;
  /** Whether the dashboard offers receivers for trying webhooks. */
  readonly testReceivers: boolean;
  /** How long the process still takes connections after it stopped being ready. */
  readonly shutdownDelayMs: number;
  readonly eventRetentionDays: number;
  /** 0: no request is logged. */
  readonly requestLogDays: number;
  /** Folder of further dictionaries, as pairs `<code>.aff` and `<code>.dic`; absolute. */
  readonly spellDictionaries: string | undefined;
  /** Networks a webhook may reach although they are not public. */
  readonly webhookAllowedNetworks: readonly string[];
  readonly webhookAllowHttp: boolean;
  /** Milliseconds to wait before each attempt of a delivery. */
  readonly webhookRetrySchedule: readonly number[];
  /** For one whole exchange with a receiver. */
  readonly webhookTimeLimitMs: number;
  /** Most deliveries to one webhook under way at once, over all workers. */
  readonly webhookConcurrency: number;
  /** Undefined when the operator has none: then all texts are analysed offline. */
  readonly model: ModelSettings | undefined;

  constructor(
    env: Environment,
    /** The database in use: `DATABASE_URL`, or the embedded PostgreSQL once it runs. */
    readonly databaseUrl: string,
    /** 32 bytes that encrypt the secrets the service must be able to read again. */
    readonly secretsKey: Buffer,
    /** Further ones that stored secrets may be encrypted with, while keys are changed. */
    readonly previousSecretsKeys: readonly Buffer[] = [],
  ) {
    this.role = env.PROCESS_ROLE;
    this.production = env.NODE_ENV === 'production';
    this.port = env.PORT;
    this.host = env.HOST;
    this.dataDir = env.DATABASE_URL === undefined ? resolve(env.DATA_DIR) : undefined;
    this.databasePoolSize = env.DATABASE_POOL_SIZE;
    this.migrateOnStart = env.MIGRATE_ON_START;
    this.startTimeoutMs = env.START_TIMEOUT_S * 1_000;
    this.redisUrl = env.REDIS_URL;
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
    this.testReceivers = env.TEST_RECEIVERS ?? !this.production;
    // No load balancer has to notice on a developer's machine.
    this.shutdownDelayMs = env.SHUTDOWN_DELAY_MS ?? (this.production ? 1_000 : 0);
    this.eventRetentionDays = env.EVENT_RETENTION_DAYS;
    this.requestLogDays = env.REQUEST_LOG_DAYS;
    this.spellDictionaries =
      env.SPELL_DICTIONARIES === undefined ? undefined : resolve(env.SPELL_DICTIONARIES);
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
  static of(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: Config, useValue: config }],
      exports: [Config],
    };
  }
}
