import { readFileSync } from 'node:fs';
import { parse, parseAllDocuments } from 'yaml';
import { databaseProblems } from '../../src/platform/config/database-choice.js';
import { environment } from '../../src/platform/config/environment.js';

/** How one of the three deployments runs a role. */
interface Deployed {
  /** Variables that it sets, including those that the operator must fill in. */
  variables: string[];
  role: string | undefined;
  memoryMiB: number;
  /** Seconds between SIGTERM and SIGKILL. */
  graceSeconds: number;
  shutdownDelayMs: number;
  migrates: string | undefined;
}

const read = (file: string) => readFileSync(file, 'utf8');
const configuration = read('docs/operate/configuration.md');
const drain = read('src/platform/http/server/drain.ts');
/** The maximum time that a process takes to end, from its constants: idle connections, then requests in progress. */
const DRAIN_MS = ['IDLE_GRACE_MS', 'FINISH_WITHIN_MS']
  .map((name) => Number(new RegExp(`${name} = ([\\d_]+)`).exec(drain)?.[1]?.replaceAll('_', '')))
  .reduce((sum, ms) => sum + ms, 0);
/** As in `Config`, in production. */
const DEFAULT_SHUTDOWN_DELAY_MS = 1_000;

function mebibytes(limit: string | undefined): number {
  const [, number = '', unit = ''] = /^(\d+)([MG])i?$/.exec(limit ?? '') ?? [];
  return Number(number) * (unit === 'G' ? 1024 : 1);
}

interface Compose {
  services: Record<
    string,
    {
      environment?: Record<string, string>;
      command?: string[];
      stop_grace_period: string;
      deploy: { resources: { limits: { memory: string } } };
    }
  >;
}
const compose = parse(read('compose.yaml'), { merge: true }) as Compose;

function ofCompose(name: string): Deployed {
  const service = compose.services[name];
  const variables = service?.environment ?? {};
  return {
    variables: Object.keys(variables),
    role: variables['PROCESS_ROLE'],
    memoryMiB: mebibytes(service?.deploy.resources.limits.memory),
    graceSeconds: parseInt(service?.stop_grace_period ?? '', 10),
    shutdownDelayMs: Number(variables['SHUTDOWN_DELAY_MS'] ?? DEFAULT_SHUTDOWN_DELAY_MS),
    migrates: variables['MIGRATE_ON_START'],
  };
}

interface Container {
  env?: { name: string; value: string }[];
  command?: string[];
  ports?: { containerPort: number }[];
  resources: { limits: { memory: string } };
}
interface Deployment {
  spec: {
    template: {
      metadata: { annotations: Record<string, string> };
      spec: {
        terminationGracePeriodSeconds: number;
        containers: [Container];
        initContainers: [Container];
      };
    };
  };
}
const deployment = (name: string) =>
  parseAllDocuments(read(`deploy/kubernetes/${name}.yaml`))[0]?.toJS() as Deployment;
const settings = (
  parse(read('deploy/kubernetes/configuration.yaml')) as { data: Record<string, string> }
).data;
const secret = (
  parse(read('deploy/kubernetes/secret.example.yaml')) as { stringData: Record<string, string> }
).stringData;

function ofKubernetes(name: string): Deployed {
  const { spec } = deployment(name).spec.template;
  const [{ env = [], resources }] = spec.containers;
  const own = Object.fromEntries(env.map((one) => [one.name, one.value]));
  return {
    variables: [...Object.keys(settings), ...Object.keys(secret), ...Object.keys(own)],
    role: own['PROCESS_ROLE'],
    memoryMiB: mebibytes(resources.limits.memory),
    graceSeconds: spec.terminationGracePeriodSeconds,
    shutdownDelayMs: Number(settings['SHUTDOWN_DELAY_MS'] ?? DEFAULT_SHUTDOWN_DELAY_MS),
    migrates: settings['MIGRATE_ON_START'],
  };
}

const unit = (name: string) => read(`deploy/systemd/document-service-${name}.service`);
const valueIn = (text: string, name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1];

function ofSystemd(name: string): Deployed {
  const text = unit(`${name}@`);
  const own = Object.fromEntries(
    (valueIn(text, 'Environment') ?? '')
      .split(' ')
      .map((pair) => pair.split('=') as [string, string]),
  );
  // A comment lists what the operator's file contains.
  const filled = [...text.matchAll(/^#.*$/gm)].flatMap(
    ([line]) => line.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? [],
  );
  return {
    variables: [...Object.keys(own), ...filled],
    role: own['PROCESS_ROLE'],
    memoryMiB: mebibytes(valueIn(text, 'MemoryMax')),
    graceSeconds: Number(valueIn(text, 'TimeoutStopSec')),
    shutdownDelayMs: Number(own['SHUTDOWN_DELAY_MS'] ?? DEFAULT_SHUTDOWN_DELAY_MS),
    migrates: own['MIGRATE_ON_START'],
  };
}

const DEPLOYED = ['api', 'worker'].flatMap((role): [string, string, Deployed][] => [
  ['compose.yaml', role, ofCompose(role)],
  ['deploy/kubernetes', role, ofKubernetes(role)],
  ['deploy/systemd', role, ofSystemd(role)],
]);

describe.each(DEPLOYED)('%s, as %s', (_, role, deployed) => {
  it('A deployment sets only variables that the service reads and docs/operate/configuration.md describes', () => {
    expect(deployed.variables.length).toBeGreaterThan(4);
    const known = Object.keys(environment.shape);
    expect(deployed.variables.filter((name) => !known.includes(name))).toEqual([]);
    expect(deployed.variables.filter((name) => !configuration.includes(`\`${name}\``))).toEqual([]);
  });

  it('A deployment sets what production requires', () => {
    expect(deployed.variables).toEqual(expect.arrayContaining(['DATABASE_URL', 'SECRETS_KEY']));
    const given = Object.fromEntries(deployed.variables.map((name) => [name, 'x']));
    expect(databaseProblems({ ...given, NODE_ENV: 'production' })).toEqual([]);
  });

  it('A deployment runs the role, and leaves migrations to a separate step', () => {
    expect([deployed.role, deployed.migrates]).toEqual([role, 'false']);
  });

  it('A deployment has the same memory as elsewhere, and time to drain after SIGTERM', () => {
    expect(deployed.memoryMiB).toBe(ofCompose(role).memoryMiB);
    expect(deployed.memoryMiB).toBeGreaterThan(800);
    expect(deployed.graceSeconds * 1_000).toBeGreaterThan(deployed.shutdownDelayMs + DRAIN_MS);
  });
});

describe('all three', () => {
  it('all three run in production, according to the image and the units', () => {
    expect(read('Dockerfile')).toMatch(/^ENV NODE_ENV=production/m);
    for (const name of ['api@', 'worker@', 'migrate']) {
      expect(valueIn(unit(name), 'Environment')).toContain('NODE_ENV=production');
    }
  });

  it('all three migrate with the same command and the same memory', () => {
    const [init] = deployment('api').spec.template.spec.initContainers;
    expect(init.command).toEqual(compose.services['migrate']?.command);
    expect(valueIn(unit('migrate'), 'ExecStart')).toBe(`/usr/bin/${init.command?.join(' ') ?? ''}`);
    expect(mebibytes(init.resources.limits.memory)).toBe(ofCompose('migrate').memoryMiB);
    expect(mebibytes(valueIn(unit('migrate'), 'MemoryMax'))).toBe(ofCompose('migrate').memoryMiB);
  });

  it('all three listen where probes, proxies and Prometheus look', () => {
    const [, port = ''] = /PORT=(\d+)/.exec(read('Dockerfile')) ?? [];
    expect(port).toBe(String(environment.parse({}).PORT));
    for (const role of ['api', 'worker']) {
      const { metadata, spec } = deployment(role).spec.template;
      expect(spec.containers[0].ports?.map(({ containerPort }) => String(containerPort))).toEqual([
        port,
      ]);
      expect(metadata.annotations['prometheus.io/port']).toBe(port);
      expect(metadata.annotations['prometheus.io/path']).toBe('/metrics');
    }
    expect(read('deploy/haproxy/haproxy.cfg')).toContain(` api:${port}`);
    expect(read('deploy/kubernetes/network.yaml').match(/port: 3000/g)).toHaveLength(2);
    // Each unit has a port. The proxy examples use the two that the guide starts.
    const started = read('docs/operate/systemd.md').match(/document-service-api@(\d+)/g) ?? [];
    const ports = [...new Set(started.map((name) => name.split('@')[1] ?? ''))];
    expect(ports.length).toBeGreaterThan(1);
    for (const one of ports) {
      expect(read('deploy/nginx/document-service.conf')).toContain(`127.0.0.1:${one}`);
      expect(read('deploy/caddy/Caddyfile')).toContain(one);
    }
  });

  it('all three use the same health paths: readiness before traffic, liveness before a restart', () => {
    expect(read('Dockerfile')).toMatch(/HEALTHCHECK[\s\S]*\/health\/live/);
    expect(read('deploy/haproxy/haproxy.cfg')).toContain('uri /health/ready');
    expect(read('deploy/caddy/Caddyfile')).toContain('health_uri /health/ready');
    for (const role of ['api', 'worker']) {
      const text = read(`deploy/kubernetes/${role}.yaml`);
      expect(text).toMatch(/livenessProbe:\s+httpGet: \{ path: \/health\/live,/);
      expect(text).toMatch(/readinessProbe:\s+httpGet: \{ path: \/health\/ready,/);
    }
  });
});
