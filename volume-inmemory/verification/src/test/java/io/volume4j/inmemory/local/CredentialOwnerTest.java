package io.volume4j.inmemory.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.core.plugins.ContentPlugin;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.OtherSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which user owns the credentials of a projected volume, and which mode they have. */
class CredentialOwnerTest {
    @ParameterizedTest
    @CsvSource({
        "    ,     , 0:0 400,       0:0 400",
        "1000,     , 1000:0 600,    0:0 400",
        "   0,     , 0:0 600,       0:0 400",
        "    , 2000, 0:2000 640,    0:2000 440",
        "1000, 2000, 1000:2000 640, 0:2000 440",
    })
    void theUserOfThePodOwnsItsCredentialsAndNoOtherFile(
            @Nullable Long user, @Nullable Long group, String credential, String other) {
        ContentNode node = everything();
        node.runAsUser = user;
        node.fsGroup = group;

        node.setUp();

        assertThat(List.of("token", "tls/bundle.pem", "tls/roots.pem"))
                .allSatisfy(path -> assertThat(node.ownership(path)).isEqualTo(credential));
        assertThat(List.of("password", "conf/a.conf", "conf/name"))
                .allSatisfy(path -> assertThat(node.ownership(path)).isEqualTo(other));
        assertThat(node.ownership("tls")).isEqualTo(group == null ? "0:0 755" : "0:2000 2755");
    }

    @Test
    void aRenewedTokenHasTheSameOwner() {
        ContentNode node = everything();
        node.runAsUser = 1000L;
        node.setUp();
        node.clock.advance(Duration.ofMinutes(50));
        node.setUp();

        assertThat(node.read("token")).isEqualTo("token-2-robot");
        assertThat(node.ownership("token")).isEqualTo("1000:0 600");
    }

    @Test
    void anUnchangedVolumeIsNotWrittenAgainAlsoAfterARestart() {
        ContentNode node = everything();
        node.runAsUser = 1000L;
        node.setUp();
        String shown = node.shown();
        node.setUp();
        node.restart();
        node.setUp();

        assertThat(node.shown()).isEqualTo(shown);
    }

    /** The mode alone does not show this: with a group it is the same with and without a user. */
    @Test
    void aContainerOfAnotherUserTakesTheFilesFromTheUser() {
        ContentNode node = everything();
        node.runAsUser = 1000L;
        node.fsGroup = 2000L;
        node.setUp();
        node.ephemeral = List.of(Container.builder("debug").runAsUser(0L).build());
        node.setUp();

        assertThat(node.ownership("token")).isEqualTo("0:2000 640");
        node.ephemeral = List.of();
        node.setUp();
        assertThat(node.ownership("token")).isEqualTo("1000:2000 640");
    }

    @Test
    void aTokenIsNotShownBeforeItHasItsOwner() {
        ContentNode node = everything();
        node.runAsUser = 1000L;
        node.setUp();
        String shown = node.shown();
        node.clock.advance(Duration.ofMinutes(50));
        node.machine.faults().add(Fault.on("changeUser").times(1).as(FaultKind.TRANSIENT));

        assertThat(catchThrowableOfType(VolumeException.class, node::setUp)).isNotNull();

        assertThat(node.shown()).isEqualTo(shown);
        assertThat(node.read("token")).isEqualTo("token-1-robot");
        node.setUp();
        assertThat(node.read("token")).isEqualTo("token-3-robot");
        assertThat(node.ownership("token")).isEqualTo("1000:0 600");
    }

    private static ContentNode everything() {
        Map<String, @Nullable Object> fields = new HashMap<>(((OtherSource) ProjectedContent.source()).fields());
        fields.put("defaultMode", 0400);
        ContentNode node = new ContentNode(ContentPlugin.projected(Map.of()), "projected", fields);
        node.hold("login", Map.of("password", "quiet please"));
        node.configs.put("default", "settings", Map.of("a.conf", new byte[] {'x'}));
        node.certificates.put("roots", "", Map.of(), node.certificates.authority("example.com/roots"));
        return node;
    }
}
