import { Module } from '@nestjs/common';
import { Config } from '../config/config.js';
import { SecretBox } from './secret-box.js';

@Module({
  providers: [
    {
      provide: SecretBox,
      inject: [Config],
      useFactory: (config: Config) => new SecretBox(config.secretsKey, config.previousSecretsKeys),
    },
  ],
  exports: [SecretBox],
})
export class SecretsModule {}
