import 'reflect-metadata';

// n8n logs every error of a node; here they are expected.
process.env.N8N_LOG_LEVEL = 'silent';
