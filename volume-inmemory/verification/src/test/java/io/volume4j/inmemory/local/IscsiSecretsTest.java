package io.volume4j.inmemory.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.IscsiSource;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Credentials are in records that only root reads, and nowhere else. */
class IscsiSecretsTest extends IscsiBench {
    private static final Map<String, String> CHAP =
            Map.of("node.session.auth.username", "alice", "node.session.auth.password", "very#secret=12");

    @Test
    void credentialsAreInARecordForRootAndOnNoCommandLine() {
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a"), "alice", "very#secret=12");
        life.secrets.put(new SecretRef("team", "login"), CHAP);
        initiator.hidden = true;

        life.mount(chap(true, false), "a");

        assertThat(initiator.calls.toString()).doesNotContain("alice").doesNotContain("very#secret");
        Path record = Path.of("/etc/iscsi/nodes", TARGET, "10.0.0.1,3260");
        assertThat(initiator.text(record)).endsWith("""
                        node.session.auth.authmethod = CHAP
                        node.session.auth.username = alice
                        node.session.auth.password = very#secret=12
                        # END RECORD
                        """).doesNotContain("authmethod = None");
        assertThat(machine.files()
                        .status(RootedPath.of(Path.of("/"), record.toString().substring(1))))
                .hasValueSatisfying(status -> assertThat(status.mode()).isEqualTo(0600));
        assertThat(life.context.told().toString()).doesNotContain("very#secret");
        life.unmount(chap(true, false), "a");
        assertNothingIsLeft();
    }

    @Test
    void discoveryCanBeAuthenticatedToo() {
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a"), "alice", "very#secret=12");
        Map<String, String> all = new TreeMap<>(CHAP);
        all.put("discovery.sendtargets.auth.username", "alice");
        all.put("discovery.sendtargets.auth.password", "very#secret=12");
        life.secrets.put(new SecretRef("team", "login"), all);

        life.mount(chap(true, true), "a");

        assertThat(initiator.calls.subList(0, 3))
                .containsExactly(
                        "-m discoverydb -t sendtargets -p " + ONE + " -I default -o new",
                        "-m discoverydb -t sendtargets -p " + ONE + " --discover -I default -o nonpersistent",
                        "-m discoverydb -t sendtargets -p " + ONE + " -o delete");
        assertThat(initiator.records())
                .as("what authenticated the discovery is gone with it")
                .containsExactly("nodes/" + TARGET + "/10.0.0.1,3260,1/default");
        life.unmount(chap(true, true), "a");
        assertNothingIsLeft();
    }

    @Test
    void wrongCredentialsFailWithoutShowingThemAndLeaveNothing() {
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a"), "alice", "another secret");
        life.secrets.put(new SecretRef("team", "login"), CHAP);

        VolumeException failure = refused(() -> life.mount(chap(true, false), "a"));

        assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(failure).hasMessageContaining("authorization failure");
        assertThat(failure.advice()).contains("secret");
        assertThat(failure.getMessage()).doesNotContain("very#secret");
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @CsvSource({
        "node.session.auth.username, ''",
        "node.session.auth.password, ''",
        "node.session.auth.password, 'two\nlines'",
        "node.session.auth.password, ' blank'",
    })
    void secretsThatCannotBeRecordedAreRefused(String key, String value) {
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a"), "alice", "x");
        Map<String, String> values = new TreeMap<>(CHAP);
        values.put(key, value);
        life.secrets.put(new SecretRef("team", "login"), values);

        VolumeException failure = refused(() -> life.mount(chap(true, false), "a"));

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure).hasMessageContaining(key);
        assertThat(initiator.calls).isEmpty();
        assertNothingIsLeft();
    }

    private static IscsiSource chap(boolean session, boolean discovery) {
        return new IscsiSource(
                ONE, TARGET, 0, "", "xfs", false, List.of(), discovery, session, new SecretRef("", "login"), "");
    }
}
