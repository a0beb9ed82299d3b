// A gRPC server that shares nothing with the library that the node uses. It ages its connections at so many
// milliseconds (the first argument), prints its port, and ends when its input closes.
#include <google/protobuf/util/json_util.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>

#include <iostream>
#include <thread>

#include "foreign.grpc.pb.h"

using chain::v1::Everything;
using google::protobuf::Int64Value;
using google::protobuf::StringValue;
using grpc::ServerContext;
using grpc::Status;
using grpc::StatusCode;

class Foreign final : public foreign::v1::ForeignService::Service {
  Status ToJson(ServerContext*, const Everything* request, StringValue* reply) override {
    google::protobuf::util::JsonPrintOptions options;
    options.always_print_primitive_fields = true;
    auto status = google::protobuf::util::MessageToJsonString(*request, reply->mutable_value(), options);
    return status.ok() ? Status::OK : Status(StatusCode::INTERNAL, std::string(status.message()));
  }

  Status FromJson(ServerContext*, const StringValue* request, Everything* reply) override {
    auto status = google::protobuf::util::JsonStringToMessage(request->value(), reply);
    return status.ok() ? Status::OK
                       : Status(StatusCode::INVALID_ARGUMENT, std::string(status.message()));
  }

  Status Echo(ServerContext*, const Everything* request, Everything* reply) override {
    *reply = *request;
    return Status::OK;
  }

  Status EchoEach(ServerContext*, grpc::ServerReaderWriter<Int64Value, Int64Value>* stream) override {
    Int64Value value;
    while (stream->Read(&value)) stream->Write(value);
    return Status::OK;
  }

  Status Sum(ServerContext*, grpc::ServerReader<Int64Value>* reader, Int64Value* reply) override {
    Int64Value value;
    while (reader->Read(&value)) reply->set_value(reply->value() + value.value());
    return Status::OK;
  }

  Status Break(ServerContext*, const Int64Value* request, grpc::ServerWriter<Int64Value>* writer) override {
    Int64Value value;
    for (int64_t count = 1; count <= request->value(); count++) {
      value.set_value(count);
      writer->Write(value);
    }
    return Status(StatusCode::ABORTED, "broke on purpose");
  }
};

int main(int, char** arguments) {
  Foreign service;
  int port = 0;
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_MS, std::stoi(arguments[1]));
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(&service);
  auto server = builder.BuildAndStart();
  std::cout << port << std::endl;
  std::string line;
  while (std::getline(std::cin, line)) {
  }
  server->Shutdown(std::chrono::system_clock::now());
  return 0;
}
