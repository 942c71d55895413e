import { Module } from '@nestjs/common';
import { DashboardFiles } from './dashboard-files.js';

/** The dashboard's files, and the door by which people in a browser reach the API. */
@Module({ providers: [DashboardFiles] })
export class DashboardModule {}
