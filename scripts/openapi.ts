import 'reflect-metadata';
import { NestFactory, ModulesContainer } from '@nestjs/core';
import { VersioningType } from '@nestjs/common';
import { SwaggerModule, DocumentBuilder } from '@nestjs/swagger';
import { Config, readEnvironment } from '../src/config/config.js';
import { serviceModule } from '../src/configure-app.js';
const config = new Config(readEnvironment({}), 'postgresql://localhost/none', Buffer.alloc(32));
const app = await NestFactory.create(serviceModule(config), { preview: true, logger: ['error'] });
app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
console.error(app.get(ModulesContainer).size);
const doc = SwaggerModule.createDocument(
  app,
  new DocumentBuilder().setOpenAPIVersion('3.1.0').build(),
);
console.log(JSON.stringify(doc, null, 1));
console.error(process.memoryUsage().rss / 1e6);
