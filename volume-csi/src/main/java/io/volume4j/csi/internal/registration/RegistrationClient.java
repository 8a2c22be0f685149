package io.volume4j.csi.internal.registration;

import io.grpc.StatusRuntimeException;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.internal.proto.registration.InfoRequest;
import io.volume4j.csi.internal.proto.registration.PluginInfo;
import io.volume4j.csi.internal.proto.registration.RegistrationGrpc;
import io.volume4j.csi.internal.proto.registration.RegistrationStatus;
import io.volume4j.csi.internal.transport.DriverUnreachableException;
import io.volume4j.csi.internal.transport.SocketConnection;
import io.volume4j.csi.internal.transport.UnixSocketChannels;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.OneLine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Client of one registrar: asks for the driver and reports the outcome of the registration. */
public final class RegistrationClient implements AutoCloseable {
    private static final String CSI = "CSIPlugin";

    /** The most characters that a message repeats of an answer: its length is the registrar's choice. */
    private static final int LONGEST_TEXT = 300;

    private final Path socket;
    private final SocketConnection connection;
    private final Duration patience;

    public RegistrationClient(Path socket, UnixSocketChannels channels, Duration patience) {
        this.socket = socket;
        this.connection = new SocketConnection(new CsiEndpoint(socket), channels);
        this.patience = patience;
    }

    /** A driver that asks for registration. */
    public record Candidate(String name, CsiEndpoint endpoint) {}

    /**
     * Asks the registrar for its driver.
     *
     * @return empty if the plugin is not a CSI driver; the caller ignores such plugins
     * @throws VolumeException transient, if no process answers; final, if the answer cannot be used
     */
    public Optional<Candidate> ask() {
        PluginInfo info = call(stub -> stub.getInfo(InfoRequest.getDefaultInstance()));
        if (!info.getType().equals(CSI)) {
            return Optional.empty();
        }
        if (info.getSupportedVersionsList().stream().noneMatch(RegistrationClient::understood)) {
            throw VolumeException.finalFailure("driver " + OneLine.name(info.getName()) + " speaks CSI "
                            + OneLine.cut(String.join(", ", info.getSupportedVersionsList()), LONGEST_TEXT)
                            + ", and version 1 is what is understood")
                    .withAdvice("install a version of the driver that speaks CSI 1");
        }
        try {
            CsiEndpoint endpoint =
                    info.getEndpoint().isEmpty() ? new CsiEndpoint(socket) : CsiEndpoint.parse(info.getEndpoint());
            return Optional.of(new Candidate(info.getName(), endpoint));
        } catch (IllegalArgumentException e) {
            throw VolumeException.finalFailure(
                            "driver " + OneLine.name(info.getName()) + " names no endpoint that can be used: "
                                    + OneLine.cut(String.valueOf(e.getMessage()), LONGEST_TEXT))
                    .withCause(e);
        }
    }

    /** Reports the outcome to the registrar; {@code ""} for a success. */
    public void tell(String error) {
        RegistrationStatus status = RegistrationStatus.newBuilder()
                .setPluginRegistered(error.isEmpty())
                .setError(error)
                .build();
        call(stub -> stub.notifyRegistrationStatus(status));
    }

    private <T> T call(java.util.function.Function<RegistrationGrpc.RegistrationBlockingStub, T> call) {
        try {
            return call.apply(
                    RegistrationGrpc.newBlockingStub(connection.lease().channel())
                            .withDeadlineAfter(patience.toNanos(), TimeUnit.NANOSECONDS));
        } catch (DriverUnreachableException e) {
            throw VolumeException.transientFailure(String.valueOf(e.getMessage()));
        } catch (StatusRuntimeException e) {
            throw VolumeException.transientFailure(
                    "the registrar at " + socket + " answered " + e.getStatus().getCode());
        }
    }

    /** {@code 1.x.y}, with or without a leading v. */
    private static boolean understood(String version) {
        String number = version.startsWith("v") ? version.substring(1) : version;
        return number.equals("1") || number.startsWith("1.");
    }

    @Override
    public void close() {
        connection.close();
    }
}
