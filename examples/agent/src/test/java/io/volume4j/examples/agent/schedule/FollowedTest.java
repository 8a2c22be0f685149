package io.volume4j.examples.agent.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Unmodeled;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class FollowedTest {
    @Test
    void aListenerThatFailsOnceLosesNoOtherObjectOfTheListing() throws InterruptedException {
        InMemoryCluster cluster = InMemoryCluster.create();
        cluster.apply(node("a"));
        cluster.apply(node("b"));
        CountDownLatch second = new CountDownLatch(1);
        AtomicBoolean failed = new AtomicBoolean();
        ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
        Followed<Node> nodes =
                new Followed<>(cluster, Kind.NODE, Node.class, executor, Runnable::run, (before, after) -> {
                    if (!failed.getAndSet(true)) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    if (after != null && after.metadata().name().equals("b")) {
                        second.countDown();
                    }
                });
        try {
            executor.execute(nodes::list);

            assertThat(second.await(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            nodes.close();
            executor.shutdownNow();
        }
    }

    private static Node node(String name) {
        return new Node(
                ObjectMeta.named("", name),
                new Node.Spec(List.of()),
                new Node.Status(true, List.of(), List.of(), Map.of()),
                Unmodeled.none());
    }
}
