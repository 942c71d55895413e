import { Module } from '@nestjs/common';
import { InProcessApi } from './in-process-api.js';
import { McpController } from './mcp.controller.js';

/** The API as tools for language models (Model Context Protocol), at `/mcp`. */
@Module({ controllers: [McpController], providers: [InProcessApi] })
export class McpModule {}
