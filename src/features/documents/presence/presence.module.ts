import { Module } from '@nestjs/common';
import { EventsModule } from '../../events/events.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { PermittedPresence } from './permitted-presence.js';
import { PresenceController } from './presence.controller.js';
import { PresenceFeed, PresenceTimes } from './presence-feed.js';
import { PresenceRepository } from './presence.repository.js';
import { PresenceService } from './presence.service.js';

@Module({
  imports: [AuthModule, EventsModule],
  controllers: [PresenceController],
  providers: [PermittedPresence, PresenceFeed, PresenceRepository, PresenceService, PresenceTimes],
})
export class PresenceModule {}
