package io.volume4j.csi.driver;

import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.server.Endpoint;
import io.volume4j.csi.internal.proto.registration.PluginInfo;
import io.volume4j.csi.internal.proto.registration.RegistrationGrpc;
import io.volume4j.csi.internal.proto.registration.RegistrationStatus;
import io.volume4j.csi.internal.proto.registration.RegistrationStatusResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Registers the driver in a node agent's directory: a socket there reports the path of the driver's own socket. */
final class Registrar {
    private final DriverOptions options;
    private final List<String> told = new CopyOnWriteArrayList<>();

    Registrar(DriverOptions options) {
        this.options = options;
    }

    Endpoint open(Path directory) throws IOException {
        var info = RegistrationGrpc.getGetInfoMethod();
        var notify = RegistrationGrpc.getNotifyRegistrationStatusMethod();
        ServerServiceDefinition service = ServerServiceDefinition.builder(RegistrationGrpc.getServiceDescriptor())
                .addMethod(info, ServerCalls.asyncUnaryCall((request, out) -> {
                    out.onNext(info());
                    out.onCompleted();
                }))
                .addMethod(notify, ServerCalls.asyncUnaryCall((request, out) -> {
                    told.add(text(request));
                    out.onNext(RegistrationStatusResponse.getDefaultInstance());
                    out.onCompleted();
                }))
                .build();
        return new Endpoint(directory.resolve(options.name() + "-reg.sock"), List.of(service));
    }

    /** The answers of node agents: {@code registered}, or an error. */
    List<String> told() {
        return List.copyOf(told);
    }

    private PluginInfo info() {
        return PluginInfo.newBuilder()
                .setType("CSIPlugin")
                .setName(options.name())
                .setEndpoint(options.socket().toString())
                .addSupportedVersions("1.0.0")
                .build();
    }

    private static String text(RegistrationStatus status) {
        return status.getPluginRegistered() ? "registered" : "error: " + status.getError();
    }
}
