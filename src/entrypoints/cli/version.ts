import { SERVICE_VERSION } from '../../platform/config/service-version.js';
import { print, show } from './output.js';

/** Prints the release of this program. */
export function printVersion(): void {
  show({ version: SERVICE_VERSION, node: process.versions.node }, () => {
    print(SERVICE_VERSION);
  });
}
