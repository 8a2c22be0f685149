package io.volume4j.core.control.selinux;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.selinux.SeLinuxView.Context;
import io.volume4j.core.control.selinux.SeLinuxView.Other;
import io.volume4j.spi.model.ObjectKey;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VolumeContextsTest {
    private static final SharedVolume DATA = SharedVolume.of(ObjectKey.claim("ns", "data"));
    private static final Context ONE = new Context("one", false);
    private static final Context TWO = new Context("two", false);

    private final VolumeContexts contexts = new VolumeContexts();

    @Test
    void aVolumeChangesWithTheFirstAndTheLastPodOfAContext() {
        assertThat(contexts.move(pod("b"), Map.of(DATA, ONE))).containsExactly(DATA);
        assertThat(contexts.move(pod("a"), Map.of(DATA, ONE))).isEmpty();
        assertThat(contexts.move(pod("a"), Map.of(DATA, ONE))).isEmpty();
        assertThat(contexts.move(pod("c"), Map.of(DATA, TWO))).containsExactly(DATA);
        assertThat(contexts.others(DATA, TWO)).containsExactly(new Other(pod("a"), ONE));

        assertThat(contexts.move(pod("a"), Map.of())).isEmpty();
        assertThat(contexts.others(DATA, TWO)).containsExactly(new Other(pod("b"), ONE));
        assertThat(contexts.move(pod("b"), Map.of(DATA, TWO))).containsExactly(DATA);
        assertThat(contexts.others(DATA, TWO)).isEmpty();
    }

    @Test
    void namesThePodsOfAVolumeWhateverTheirContextAndNamespace() {
        SharedVolume share = SharedVolume.described("kubernetes.io/nfs", "s:/share");
        contexts.move(pod("a"), Map.of(share, ONE, DATA, ONE));
        contexts.move(ObjectKey.pod("other", "a"), Map.of(share, TWO));

        assertThat(contexts.podsOf(share)).containsExactly(pod("a"), ObjectKey.pod("other", "a"));
        assertThat(contexts.podsOf(DATA)).containsExactly(pod("a"));
        assertThat(contexts.others(share, ONE)).containsExactly(new Other(ObjectKey.pod("other", "a"), TWO));
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
