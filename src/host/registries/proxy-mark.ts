/** Where the sandbox's proxy is, in the configuration that commands get. The port is put in when a sandbox is made. */
export const proxyMark = { host: '127.0.0.1', port: '@PORT@' };
