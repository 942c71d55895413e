import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { SessionsModule } from '../people/sessions/sessions.module.js';
import { DashboardFiles } from './dashboard-files.js';
import { DashboardLimiter } from './dashboard.middleware.js';
import { PersonAuthenticator } from './person-authenticator.js';
import { RawBodyReader } from './receivers/raw-body-reader.js';
import {
  ReceivedDeliveriesController,
  ReceiversController,
} from './receivers/receivers.controller.js';
import { TestReceiversModule } from './receivers/test-receivers.module.js';

/** The dashboard's files, and access to the API for signed-in people. */
@Module({
  imports: [AuthModule, SessionsModule, TestReceiversModule],
  controllers: [ReceiversController, ReceivedDeliveriesController],
  providers: [DashboardFiles, DashboardLimiter, PersonAuthenticator, RawBodyReader],
})
export class DashboardModule {}
