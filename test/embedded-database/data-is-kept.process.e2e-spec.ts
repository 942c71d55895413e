import { stat } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { connect } from 'node:net';
import { join } from 'node:path';
import { cleanUp, newDataDir, OwnerProcess, query } from '../support/postgres-owner-process.js';

describe('The embedded database', () => {
  let dataDir: string;
  let service: OwnerProcess;

  beforeAll(async () => {
    dataDir = await newDataDir();
    service = await OwnerProcess.start(dataDir);
  });
  afterAll(cleanUp);

  it('The embedded database keeps data and password between starts', async () => {
    await service.query('CREATE TABLE kept AS SELECT 42 AS answer');
    const password = new URL(service.url).password;
    await service.end();
    service = await OwnerProcess.start(dataDir);
    expect(await service.query('SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect(new URL(service.url).password).toBe(password);
  });

  it('The embedded database lets the service sign in as the owner of one database and not as a superuser', async () => {
    const [role] = await service.query(
      `SELECT current_user AS name, rolsuper AS super, pg_get_userbyid(datdba) AS owner
       FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`,
    );
    expect(role).toEqual({ name: 'document_service', super: false, owner: 'document_service' });
  });

  it('The embedded database gives the service the extensions for search', async () => {
    await service.query('CREATE EXTENSION pg_trgm');
    await service.query('CREATE EXTENSION unaccent');
    expect(await service.query(`SELECT unaccent('Größe') AS plain`)).toEqual([{ plain: 'Grosse' }]);
  });

  it('The embedded database uses UTF-8 and UTC, and folds case the same on every machine', async () => {
    const [row] = await service.query(
      `SELECT current_setting('server_encoding') AS encoding, current_setting('TimeZone') AS zone,
              lower('ÄÖŠ') AS lower, datlocprovider AS provider
       FROM pg_database WHERE datname = current_database()`,
    );
    expect(row).toEqual({ encoding: 'UTF8', zone: 'UTC', lower: 'äöš', provider: 'b' });
  });

  it('The embedded database stores the password where only its user can read it', async () => {
    const { mode } = await stat(join(dataDir, 'postgres-password'));
    expect(mode & 0o777).toBe(0o600);
  });

  it('The embedded database refuses a wrong password', async () => {
    const url = new URL(service.url);
    url.password = 'guessed';
    await expect(query(url.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
  });

  it('The embedded database cannot be reached over the network', async () => {
    const addresses = Object.values(networkInterfaces()).flat();
    const outside = addresses.find(
      (address) => address && !address.internal && address.family === 'IPv4',
    );
    const host = outside?.address ?? '127.0.0.2';
    const refused = await new Promise((resolve) => {
      const socket = connect(Number(new URL(service.url).port), host);
      socket.once('error', ({ code }: NodeJS.ErrnoException) => {
        resolve(code);
      });
      socket.once('connect', () => {
        resolve('connected');
      });
    });
    expect(refused).toBe('ECONNREFUSED');
  });
});
