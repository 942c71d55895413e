import { createServer, type Socket, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

/** A mail server that stores the messages it receives. */
export interface MailServer {
  url: string;
  /** Each one includes its headers. Lines end with `\n`. */
  messages: string[];
  /** True to reject every message. */
  refuses: boolean;
  close(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const mail: MailServer = {
    url: `smtp://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    messages: [],
    refuses: false,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
  return mail;

  function talk(socket: Socket): void {
    let message: string[] | undefined;
    const say = (line: string) => socket.write(`${line}\r\n`);
    say('220 test');
    createInterface({ input: socket }).on('line', (line) => {
      if (message && line !== '.') {
        message.push(line);
      } else if (message) {
        mail.messages.push(message.join('\n'));
        message = undefined;
        say('250 kept');
      } else if (/^RCPT/i.test(line) && mail.refuses) {
        say('550 no such mailbox');
      } else if (/^DATA/i.test(line)) {
        message = [];
        say('354 go on');
      } else if (/^QUIT/i.test(line)) {
        say('221 bye');
        socket.end();
      } else {
        say('250 ok');
      }
    });
  }
}
