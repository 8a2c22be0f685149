package io.volume4j.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.examples.agent.http.Access;
import io.volume4j.examples.agent.http.HttpCluster;
import io.volume4j.examples.agent.store.Store;
import io.volume4j.examples.benchmarks.http.StoreChild;
import io.volume4j.examples.benchmarks.http.Turn;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.Kind;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The two sides of the comparison do the same. */
@Timeout(120)
class BindingOverHttpTest {
    /** So few that each claim fits one volume best: both sides then choose the same one. */
    private static final int CLAIMS = 50;

    private final BindingOverHttp benchmark = new BindingOverHttp();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theBareClientLeavesWhatTheControllerLeaves(boolean okHttp) throws Exception {
        try (Store ours = StoreChild.filled(CLAIMS);
                Store bare = StoreChild.filled(CLAIMS)) {
            Turn our = benchmark.ours(ours.uri(), () -> 0, CLAIMS);
            Turn their = BindingOverHttp.bare(bare.uri(), () -> 0, new BindingOverHttp.Way(okHttp, 4, 0), true);

            assertThat(objects(bare)).isEqualTo(objects(ours));
            assertThat(List.of(our.writes(), our.refused(), their.writes())).containsExactly(200L, 0L, 200L);
        }
    }

    @Test
    void aTurnIsTheTimeOfTheWritesAlone() throws Exception {
        try (Store store = StoreChild.filled(CLAIMS)) {
            long began = System.nanoTime();
            Turn turn = benchmark.ours(store.uri(), () -> 0, CLAIMS);

            assertThat(turn.nanos()).isBetween(1L, System.nanoTime() - began);
            assertThat(turn.rate()).isEqualTo(200 * 1e9 / turn.nanos());
            assertThat(turn.inFlight()).isPositive();
        }
    }

    /** All claims and volumes, without what differs between two stores. */
    private static List<String> objects(Store store) {
        try (HttpCluster cluster = HttpCluster.of(Access.to(store.uri()))) {
            return Stream.of(Kind.PERSISTENT_VOLUME_CLAIM, Kind.PERSISTENT_VOLUME)
                    .flatMap(kind -> cluster.list(kind, Selection.all()).objects().stream())
                    .map(object -> Manifests.toYaml(object)
                            .replaceAll(
                                    "(?m)^ *(uid|resourceVersion|creationTimestamp|lastPhaseTransitionTime): .*\n", ""))
                    .toList();
        }
    }
}
