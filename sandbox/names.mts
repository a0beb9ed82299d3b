export type RoomName = 'platform' | 'node';
/** gRPC is limited too; record, latency and faults are those of HTTP. */
export type LimitedRoom = RoomName | 'grpc';
export type ApiName = 'evm' | 'root' | 'wallet' | 'ton';
