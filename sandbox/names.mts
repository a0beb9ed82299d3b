export type ServerName = 'platform' | 'node';
/** gRPC is limited too; record, latency and faults are those of HTTP. */
export type LimitedServer = ServerName | 'grpc';
export type ApiName = 'evm' | 'root' | 'wallet' | 'ton';
