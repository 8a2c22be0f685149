package io.volume4j.csi.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.csi.internal.proto.registration.InfoRequest;
import io.volume4j.csi.internal.proto.registration.PluginInfo;
import io.volume4j.csi.internal.proto.registration.RegistrationGrpc;
import io.volume4j.csi.internal.proto.registration.RegistrationStatus;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RegistrationTest {
    @Test
    void makesItselfKnownInANodeAgentsDirectoryUntilItEnds() {
        try (Place registry = new Place();
                Fixture fixture = new Fixture(options -> options.registrationDirectory(registry.path()))) {
            Path socket = registry.path().resolve("csi-driver.volume4j.io-reg.sock");
            try (DriverClient agent = new DriverClient(socket)) {
                var stub = RegistrationGrpc.newBlockingStub(agent.channel());
                PluginInfo info = stub.getInfo(InfoRequest.getDefaultInstance());
                assertThat(info.getType()).isEqualTo("CSIPlugin");
                assertThat(info.getName()).isEqualTo("csi-driver.volume4j.io");
                assertThat(info.getEndpoint())
                        .isEqualTo(fixture.place().socket().toString());
                assertThat(info.getSupportedVersionsList()).containsExactly("1.0.0");

                var reply = stub.notifyRegistrationStatus(RegistrationStatus.newBuilder()
                        .setPluginRegistered(true)
                        .build());
                assertThat(reply.getSerializedSize()).isZero();
                var error = stub.notifyRegistrationStatus(
                        RegistrationStatus.newBuilder().setError("no room").build());
                assertThat(error.getSerializedSize()).isZero();
            }
            assertThat(fixture.driver().registrations()).isEqualTo(List.of("registered", "error: no room"));

            fixture.driver().close();
            assertThat(socket).doesNotExist();
        }
    }
}
