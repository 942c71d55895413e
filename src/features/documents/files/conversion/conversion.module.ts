import { Module } from '@nestjs/common';
import { Converter } from './converter.js';

/** Documents as files, in and out. Knows neither the database nor HTTP. */
@Module({ providers: [Converter], exports: [Converter] })
export class ConversionModule {}
