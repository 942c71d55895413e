import { SecretsKeyCheckEntity } from './entities/secrets-key-check.entity.js';

export const SECRETS_TABLES = [SecretsKeyCheckEntity];
