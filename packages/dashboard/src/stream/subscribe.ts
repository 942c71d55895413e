import {
  HEARTBEAT_MS,
  StreamHub,
  type HubMessage,
  type Subscription,
  type TabMessage,
  type TabPort,
} from './stream-hub.js';

/** The hub of this tab, for browsers without SharedWorker: one stream per visible tab. */
let ownHub: StreamHub | undefined;

/** Connects to the hub that all tabs share. `onLost` is called if its script cannot be loaded. */
function connect(onLost: () => void): MessagePort {
  if ('SharedWorker' in globalThis) {
    const worker = new SharedWorker(new URL('./stream-hub-worker.ts', import.meta.url), {
      type: 'module',
    });
    worker.onerror = onLost;
    return worker.port;
  }
  return connectToOwnHub();
}

function connectToOwnHub(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  ownHub ??= new StreamHub(0);
  ownHub.join(port2 as unknown as TabPort);
  return port1;
}

/** Subscription of a part of the page. */
type Interest = Pick<Subscription, 'url' | 'userId' | 'documentId'>;

/** Passes on the events of the stream until the returned function is called. */
export function subscribe(
  interest: Interest,
  onMessage: (message: HubMessage) => void,
): () => void {
  let port: MessagePort;
  const send = (message: TabMessage) => {
    port.postMessage(message);
  };
  const beat = () => {
    send({ ...interest, isVisible: document.visibilityState === 'visible' });
  };
  const leave = () => {
    send('leave');
  };
  const use = (next: MessagePort) => {
    port = next;
    port.onmessage = ({ data }: MessageEvent<HubMessage>) => {
      onMessage(data);
    };
    beat();
  };
  use(
    connect(() => {
      use(connectToOwnHub());
    }),
  );
  const heartbeat = setInterval(beat, HEARTBEAT_MS);
  document.addEventListener('visibilitychange', beat);
  // A page in the back-forward cache runs no timers, and returns with `pageshow`.
  window.addEventListener('pagehide', leave);
  window.addEventListener('pageshow', beat);
  return () => {
    clearInterval(heartbeat);
    document.removeEventListener('visibilitychange', beat);
    window.removeEventListener('pagehide', leave);
    window.removeEventListener('pageshow', beat);
    leave();
    port.close();
  };
}
