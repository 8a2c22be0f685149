package io.volume4j.inmemory.cluster;

import static io.volume4j.inmemory.cluster.Objects.object;
import static io.volume4j.spi.host.Patch.FieldChange.remove;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Node;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What Kubernetes' API server does and refuses beyond its schemas. */
class ServerRulesTest {
    private final InMemoryCluster cluster = InMemoryCluster.create();

    @Test
    void creatingTakesNoUidFromTheCaller() {
        ApiObject created = cluster.create(
                object("PersistentVolumeClaim", Map.of("namespace", "default", "name", "c", "uid", "mine"), Map.of()));

        assertThat(created.metadata().uid()).isEqualTo("00000000-0000-0000-0000-000000000001");
    }

    @Test
    void aNodeRegistersWithItsStatus() {
        Map<String, Object> status = Map.of("volumesInUse", List.of("kubernetes.io/csi/d^h"));

        ApiObject created = cluster.create(object("Node", Map.of("name", "n1"), Map.of(), Map.of("status", status)));

        assertThat(((Node) created).status().volumesInUse()).containsExactly("kubernetes.io/csi/d^h");
        assertThat(refusal(() -> cluster.patch(created.key(), patch(remove("status", "volumesInUse")))))
                .isEqualTo(Reason.INVALID);
    }

    private static Patch patch(FieldChange... changes) {
        return new Patch(Preconditions.none(), false, List.of(changes));
    }

    private static Reason refusal(ThrowingCallable call) {
        return catchThrowableOfType(ClusterException.class, call).reason();
    }
}
