package io.volume4j.core.node.desired;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.node.desired.ClaimReads.Use;
import io.volume4j.spi.model.ObjectKey;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClaimIndexTest {
    private static final ObjectKey DATA = ObjectKey.claim("a", "data");
    private static final ObjectKey LOGS = ObjectKey.claim("a", "logs");
    private static final ObjectKey V1 = ObjectKey.volume("v1");
    private static final ObjectKey V2 = ObjectKey.volume("v2");

    private final ClaimIndex index = new ClaimIndex();

    @Test
    void findsTheUsesOfAClaimAndOfItsVolume() {
        index.put("p1", Map.of(DATA, "v1", LOGS, ""));
        index.put("p2", Map.of(DATA, "v1"));

        assertThat(index.usesOf(DATA)).containsExactly(new Use("p1", DATA), new Use("p2", DATA));
        assertThat(index.usesOf(V1)).containsExactly(new Use("p1", DATA), new Use("p2", DATA));
        assertThat(index.usesOf(LOGS)).containsExactly(new Use("p1", LOGS));
    }

    @Test
    void forgetsWhatAPodUsedBefore() {
        index.put("p1", Map.of(DATA, "v1"));
        index.put("p1", Map.of(LOGS, "v2"));

        assertThat(index.usesOf(DATA)).isEmpty();
        assertThat(index.usesOf(V1)).isEmpty();
        assertThat(index.usesOf(V2)).containsExactly(new Use("p1", LOGS));

        index.put("p1", Map.of());

        assertThat(index.usesOf(LOGS)).isEmpty();
        assertThat(index.usesOf(V2)).isEmpty();
    }

    @Test
    void followsAClaimToTheVolumeThatItGetsNamesAndLoses() {
        index.put("p1", Map.of(DATA, ""));

        index.names("p1", DATA, "v1");
        assertThat(index.usesOf(V1)).containsExactly(new Use("p1", DATA));

        index.names("p1", DATA, "v2");
        assertThat(index.usesOf(V1)).isEmpty();
        assertThat(index.usesOf(V2)).containsExactly(new Use("p1", DATA));

        index.names("p1", DATA, "");
        assertThat(index.usesOf(V2)).isEmpty();
        assertThat(index.usesOf(DATA)).containsExactly(new Use("p1", DATA));
    }

    @Test
    void takesNoUseFromAPodThatHasNone() {
        index.put("p1", Map.of(DATA, "v1"));

        index.names("p2", DATA, "v2");
        index.names("p1", LOGS, "v2");
        index.remove("p2");

        assertThat(index.usesOf(V2)).isEmpty();
        assertThat(index.usesOf(V1)).containsExactly(new Use("p1", DATA));
    }

    @Test
    void forgetsAPodThatIsGone() {
        index.put("p1", Map.of(DATA, "v1"));
        index.put("p2", Map.of(DATA, "v1"));

        index.remove("p1");

        assertThat(index.usesOf(DATA)).containsExactly(new Use("p2", DATA));
        assertThat(index.usesOf(V1)).containsExactly(new Use("p2", DATA));
    }
}
