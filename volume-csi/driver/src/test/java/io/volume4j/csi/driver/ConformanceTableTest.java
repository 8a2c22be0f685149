package io.volume4j.csi.driver;

import static io.volume4j.csi.driver.AttachmentErrors.detach;
import static io.volume4j.csi.driver.DriverClient.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The error tables of the specification, RPC by RPC, as a client that knows nothing of the driver meets them. */
@Timeout(60)
class ConformanceTableTest {
    private static final Fixture fixture =
            new Fixture(options -> options.silentNode("node-2").attachLimit(30));

    @AfterAll
    static void stop() {
        fixture.close();
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                        VolumeErrors.createVolume(),
                        VolumeErrors.volumes(),
                        AttachmentErrors.attachments(),
                        SnapshotErrors.snapshots(),
                        NodeErrors.nodes(),
                        HealthErrors.health())
                .flatMap(rows -> rows);
    }

    @ParameterizedTest(name = "{0} {1}: {2}")
    @MethodSource("rows")
    void answersAsTheErrorTableSays(String rpc, String when, Code expected, ErrorRow row) {
        assertThat(code(() -> row.call().apply(fixture)))
                .as("%s, %s", rpc, when)
                .isEqualTo(expected);
        freeTheNode();
    }

    /** Attachments of one row must not fill the node for the next. */
    private static void freeTheNode() {
        for (String node : new String[] {"node-1", "node-2"}) {
            fixture.driver().reboot(node);
        }
        for (String attachment : fixture.driver().inventory().attachments()) {
            String[] words = attachment.split(" on ");
            detach(fixture, words[0], words[1]);
        }
    }
}
