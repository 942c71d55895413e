import { execFileSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { environment } from '../../src/platform/config/environment.js';

type Labels = Record<string, string>;
interface Container {
  name: string;
  image: string;
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  env?: { name: string; value: string }[];
  ports?: { name: string; containerPort: number }[];
  resources: { requests: Labels; limits: Labels };
  securityContext: object;
  [probe: `${string}Probe`]: { httpGet: { path: string; port: string } };
}
interface Pod {
  containers: Container[];
  initContainers: Container[];
  securityContext: object;
}
interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Labels };
  data?: Labels;
  stringData?: Labels;
  spec: Spec;
}
/** The fields of all kinds that this file checks. */
interface Spec {
  template: { metadata: { labels: Labels }; spec: Pod };
  selector: Labels & { matchLabels: Labels };
  podSelector: { matchLabels: Labels };
  scaleTargetRef: { name: string };
  ports: { name: string; targetPort: string }[];
  rules: { http: { paths: Route[] } }[];
}
interface Kustomization {
  apiVersion: string;
  kind: string;
  resources: string[];
  images: { name: string; newTag: string }[];
}
interface Route {
  path: string;
  backend: { service: { name: string; port: { name: string } } };
}

const FOLDER = 'deploy/kubernetes';
const KINDS: Readonly<Record<string, string>> = {
  ConfigMap: 'v1',
  Secret: 'v1',
  Service: 'v1',
  Deployment: 'apps/v1',
  Ingress: 'networking.k8s.io/v1',
  NetworkPolicy: 'networking.k8s.io/v1',
  PodDisruptionBudget: 'policy/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
};
const manifests = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
  .flatMap((file) => parseAllDocuments(readFileSync(path.join(FOLDER, file), 'utf8')))
  .map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS({ maxAliasCount: 100 }) as Manifest;
  });
const of = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const deployments = of('Deployment');
const pods = deployments.map(({ spec }) => spec.template.spec);
const podLabels = deployments.map(({ spec }) => spec.template.metadata.labels);
const has = (labels: Labels, selector: Labels) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

describe('the manifests for Kubernetes', () => {
  it('the manifests for Kubernetes have kinds and versions that clusters know, each named once', () => {
    for (const { kind, apiVersion } of manifests)
      expect([kind, apiVersion]).toEqual([kind, KINDS[kind]]);
    expect(Object.keys(KINDS).filter((kind) => of(kind).length === 0)).toEqual([]);
    const names = manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^\w+\/[a-z][a-z0-9-]{0,62}$/);
  });

  it('the manifests for Kubernetes select existing pods', () => {
    for (const { spec } of deployments)
      expect(has(spec.template.metadata.labels, spec.selector.matchLabels)).toBe(true);
    const selectors: Labels[] = [
      ...of('Service').map(({ spec }) => spec.selector),
      ...of('PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels),
      ...of('NetworkPolicy').map(({ spec }) => spec.podSelector.matchLabels),
    ];
    for (const selector of selectors) {
      expect(podLabels.filter((labels) => has(labels, selector))).toHaveLength(1);
    }
    const targets = of('HorizontalPodAutoscaler').map(({ spec }) => spec.scaleTargetRef.name);
    const names = deployments.map(({ metadata }) => metadata.name);
    expect(targets.filter((name) => !names.includes(name))).toEqual([]);
  });

  it('the manifests for Kubernetes route the ingress to a port of the API, and not to internal paths', () => {
    const [service] = of('Service');
    const paths = of('Ingress').flatMap(({ spec }) => spec.rules.flatMap(({ http }) => http.paths));
    for (const { backend } of paths) {
      expect(backend.service).toEqual({
        name: service?.metadata.name,
        port: { name: service?.spec.ports[0]?.name },
      });
    }
    expect(pods[0]?.containers[0]?.ports?.map(({ name }) => name)).toContain(
      service?.spec.ports[0]?.targetPort,
    );
    expect(paths.map((one) => one.path)).toEqual(
      expect.arrayContaining(['/v1', '/docs', '/dashboard']),
    );
    for (const { path: open } of paths)
      expect(['/', '/metrics', '/health', '/health/ready']).not.toContain(open);
  });

  it('the manifests for Kubernetes are all listed in the kustomization, except the example secret', () => {
    const text = readFileSync(path.join(FOLDER, 'kustomization.yaml'), 'utf8');
    const { apiVersion, kind, resources, images } = parse(text, { strict: true }) as Kustomization;
    expect([apiVersion, kind]).toEqual(['kustomize.config.k8s.io/v1beta1', 'Kustomization']);
    const files = readdirSync(FOLDER).filter(
      (file) => !['kustomization.yaml', 'secret.example.yaml', 'keda'].includes(file),
    );
    expect([...resources].sort()).toEqual(files.sort());
    const used = pods.flatMap((pod) =>
      [...pod.containers, ...pod.initContainers].map(({ image }) => image),
    );
    expect(new Set(used)).toEqual(new Set(images.map(({ name, newTag }) => `${name}:${newTag}`)));
    // If the real program is installed, it must build the same objects.
    const built = checked('kubectl', ['kustomize', FOLDER]);
    if (built === undefined) return;
    const names = (list: Manifest[]) =>
      list.map(({ kind: one, metadata }) => `${one}/${metadata.name}`).sort();
    const objects = parseAllDocuments(built).map((document) => document.toJS() as Manifest);
    expect(names(objects)).toEqual(names(manifests.filter((one) => one.kind !== 'Secret')));
  });

  it('the manifests for Kubernetes leave the replicas of the workers to KEDA with its component, and need no KEDA without it', () => {
    expect(manifests.filter(({ apiVersion }) => apiVersion.startsWith('keda.sh'))).toEqual([]);
    const folder = mkdtempSync(path.join(tmpdir(), 'overlay-'));
    const relative = (name: string) => path.relative(realpathSync(folder), path.resolve(name));
    const overlay = { resources: [relative(FOLDER)], components: [relative(`${FOLDER}/keda`)] };
    writeFileSync(path.join(folder, 'kustomization.yaml'), JSON.stringify(overlay));
    const built = checked('kubectl', ['kustomize', folder]);
    rmSync(folder, { recursive: true });
    if (built === undefined) return;
    const objects = parseAllDocuments(built).map((document) => document.toJS() as Manifest);
    const [scaled] = objects.filter(({ kind }) => kind === 'ScaledObject');
    const target = objects.find(
      ({ kind, metadata }) =>
        kind === 'Deployment' && metadata.name === scaled?.spec.scaleTargetRef.name,
    );
    expect(target?.spec).not.toHaveProperty('replicas');
    expect(objects).toHaveLength(manifests.filter(({ kind }) => kind !== 'Secret').length + 1);
  });

  it('the manifests for Kubernetes set only variables that the service reads, and refer to existing settings', () => {
    const known = Object.keys(environment.shape);
    const [settings] = of('ConfigMap');
    const [secret] = of('Secret');
    const set = [
      ...Object.keys(settings?.data ?? {}),
      ...Object.keys(secret?.stringData ?? {}),
      ...pods.flatMap(({ containers }) =>
        containers.flatMap(({ env = [] }) => env.map(({ name }) => name)),
      ),
    ];
    expect(set).toEqual(expect.arrayContaining(['DATABASE_URL', 'SECRETS_KEY', 'PROCESS_ROLE']));
    expect(set.filter((name) => !known.includes(name))).toEqual([]);
    for (const [name, value] of Object.entries(settings?.data ?? {})) {
      expect([
        name,
        environment.shape[name as keyof typeof environment.shape].safeParse(value).success,
      ]).toEqual([name, true]);
    }
    for (const { containers, initContainers } of pods) {
      for (const { envFrom } of [...containers, ...initContainers]) {
        expect(envFrom).toEqual([
          { configMapRef: { name: settings?.metadata.name } },
          { secretRef: { name: secret?.metadata.name } },
        ]);
      }
    }
  });

  it('the manifests for Kubernetes run as an unprivileged user, on a read-only file system, within measured memory', () => {
    for (const { containers, initContainers, securityContext } of pods) {
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const container of [...containers, ...initContainers]) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources.limits['memory']).toMatch(/^\d+Mi$/);
      }
      const [main] = containers;
      expect(main?.livenessProbe?.httpGet).toEqual({ path: '/health/live', port: 'http' });
      expect(main?.readinessProbe?.httpGet).toEqual({ path: '/health/ready', port: 'http' });
    }
  });
});

/** Runs a program on a copy of a file. Returns `undefined` if it is not installed. */
function checked(program: string, words: string[]): string | undefined {
  try {
    return execFileSync(program, words, { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { code, stderr } = error as { code?: string; stderr?: string };
    if (code === 'ENOENT') return undefined;
    throw new Error(stderr, { cause: error });
  }
}

describe('the examples of proxies, units and rules', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'deploy-'))));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const INSIDE = [
    ...['/metrics', '/METRICS', '/metrics/', '//metrics'],
    ...['/health/ready', '/Health/Ready', '/health/ready/', '//health//ready'],
  ];

  it.each([
    ['deploy/caddy/Caddyfile', /path_regexp \(\?i\)(\S+)/],
    ['deploy/haproxy/haproxy.cfg', /path,url_dec -i -m reg (\S+) \}/],
    ['deploy/nginx/document-service.conf', /location ~\* (\S+) \{\s+return 404/],
  ])('%s hides internal paths', (file, pattern) => {
    const [, rule = '(?!)'] = pattern.exec(readFileSync(file, 'utf8')) ?? [];
    for (const one of INSIDE) expect(one).toMatch(new RegExp(rule, 'i'));
    for (const one of ['/v1/metrics', '/health/live', '/metricsx', '/health/readyx'])
      expect(one).not.toMatch(new RegExp(rule, 'i'));
  });

  it('the examples of proxies, units and rules are accepted by their programs, if those are installed', () => {
    checked('caddy', ['validate', '--adapter', 'caddyfile', '--config', 'deploy/caddy/Caddyfile']);
    checked('promtool', ['check', 'rules', 'deploy/prometheus/alerts.yml']);
    for (const file of readdirSync('deploy/haproxy')) {
      checked('haproxy', ['-c', '-f', path.join('deploy/haproxy', file)]);
    }
    // Without TLS, because its files do not exist here.
    const site = readFileSync('deploy/nginx/document-service.conf', 'utf8')
      .replace(/^\s+ssl_.*$/gm, '')
      .replaceAll(/ ssl( http2)?;/g, ';');
    writeFileSync(path.join(folder, 'site.conf'), site);
    writeFileSync(
      path.join(folder, 'nginx.conf'),
      `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp { include ${folder}/site.conf; }\n`,
    );
    checked('nginx', ['-t', '-c', path.join(folder, 'nginx.conf')]);
  });

  it('the examples of proxies, units and rules refer only to existing programs and variables in units', () => {
    const units = readdirSync('deploy/systemd').map((file) =>
      readFileSync(path.join('deploy/systemd', file), 'utf8'),
    );
    expect(units).toHaveLength(3);
    const known = Object.keys(environment.shape);
    for (const unit of units) {
      expect(unit).toMatch(/^ExecStart=\/usr\/bin\/node dist\/(main|cli)\.js/m);
      const [, set = ''] = /^Environment=(.*)$/m.exec(unit) ?? [];
      const names = set.split(' ').map((pair) => pair.split('=')[0] ?? '');
      expect(names.filter((name) => !known.includes(name))).toEqual([]);
    }
  });
});
