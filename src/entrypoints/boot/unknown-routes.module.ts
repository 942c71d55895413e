import { Module } from '@nestjs/common';
import { UnknownRoutesController } from './unknown-routes.controller.js';

@Module({ controllers: [UnknownRoutesController] })
export class UnknownRoutesModule {}
