package io.volume4j.core.control.selinux;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.selinux.SeLinuxView.Context;
import io.volume4j.core.control.selinux.SeLinuxView.Other;
import io.volume4j.spi.model.ObjectKey;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClaimContextsTest {
    private static final ObjectKey DATA = ObjectKey.claim("ns", "data");
    private static final Context ONE = new Context("one", false);
    private static final Context TWO = new Context("two", false);

    private final ClaimContexts contexts = new ClaimContexts();

    @Test
    void aClaimChangesWithTheFirstAndTheLastPodOfAContext() {
        assertThat(contexts.move(pod("b"), Map.of(DATA, ONE))).containsExactly(DATA);
        assertThat(contexts.move(pod("a"), Map.of(DATA, ONE))).isEmpty();
        assertThat(contexts.move(pod("a"), Map.of(DATA, ONE))).isEmpty();
        assertThat(contexts.move(pod("c"), Map.of(DATA, TWO))).containsExactly(DATA);
        assertThat(contexts.others(DATA, TWO)).containsExactly(new Other("a", ONE));

        assertThat(contexts.move(pod("a"), Map.of())).isEmpty();
        assertThat(contexts.others(DATA, TWO)).containsExactly(new Other("b", ONE));
        assertThat(contexts.move(pod("b"), Map.of(DATA, TWO))).containsExactly(DATA);
        assertThat(contexts.others(DATA, TWO)).isEmpty();
    }

    @Test
    void nothingIsKeptOfPodsThatAreGone() {
        contexts.move(pod("a"), Map.of(DATA, ONE));
        contexts.move(pod("a"), Map.of());

        assertThat(contexts.pods()).isEmpty();
        assertThat(contexts.of(pod("a"))).isEmpty();
        assertThat(contexts.others(DATA, TWO)).isEmpty();
    }

    private static ObjectKey pod(String name) {
        return ObjectKey.pod("ns", name);
    }
}
