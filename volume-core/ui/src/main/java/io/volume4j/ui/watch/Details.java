package io.volume4j.ui.watch;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.volume4j.core.VolumeManager;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.volumes.TimelineEntry;
import io.volume4j.core.volumes.VolumePlan;
import io.volume4j.core.worlds.VolumeReading;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.ui.rows.Row;
import io.volume4j.ui.rows.RowMaker;
import io.volume4j.ui.web.Refusal;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The details of one volume or object, as JSON: picture, explanation, plan, timeline. Waits a few seconds for the event loop.
 * Thread-safe.
 */
public final class Details {
    private static final long PATIENCE_SECONDS = 5;

    private final @Nullable ClusterSource cluster;
    private final InstantSource clock;

    /** @param cluster the source of claims and volumes; null to omit them */
    public Details(@Nullable ClusterSource cluster, InstantSource clock) {
        this.cluster = cluster;
        this.clock = clock;
    }

    /**
     * The details of a volume of a node.
     *
     * @throws Refusal if the node does not know it, or does not answer
     */
    public ObjectNode volume(String source, VolumeManager volumes, VolumeId id) {
        CompletableFuture<List<VolumeReading>> reading = volumes.read(List.of(id));
        CompletableFuture<VolumePlan> plan = volumes.plan(id);
        CompletableFuture<List<TimelineEntry>> timeline = volumes.timeline(id);
        VolumeReading read = await(reading).get(0);
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        Row row = RowMaker.of(source, read, clock.instant());
        List<TimelineEntry> moments = await(timeline);
        if (row == null && moments.isEmpty()) {
            throw new Refusal(404, "the node " + source + " knows nothing of this volume any more");
        }
        if (row != null) {
            tree.set("row", RowTree.of(row));
            tree.set("chain", Chain.of(row, read.explanation(), cluster));
        }
        explain(tree, read.explanation());
        ArrayNode steps = tree.putArray("plan");
        await(plan).steps().forEach(step -> steps.add(step.description()));
        await(plan).waits().forEach(wait -> steps.add("waiting: " + wait));
        ArrayNode entries = tree.putArray("timeline");
        moments.forEach(moment -> entries.add(entry(moment)));
        return tree;
    }

    /** The details of an object of the cluster, from the explanation of its controller. */
    public ObjectNode object(Readings source, ObjectKey object) {
        CompletableFuture<Explanation> asked = source.controller()
                .orElseThrow(() -> new Refusal(404, "no controller runs here"))
                .explain(object);
        Explanation explanation = await(asked);
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        Row row = RowMaker.of(source.name(), object, explanation, clock.instant());
        if (row != null) {
            tree.set("row", RowTree.of(row));
        }
        explain(tree, explanation);
        tree.putArray("plan");
        tree.putArray("timeline");
        return tree;
    }

    private static void explain(ObjectNode tree, Explanation explanation) {
        tree.put("explain", explanation.text());
        ArrayNode notes = tree.putArray("notes");
        explanation.notes().forEach(notes::add);
    }

    private static ObjectNode entry(TimelineEntry moment) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        tree.put("at", moment.at().toEpochMilli());
        tree.put("action", moment.action().name());
        tree.put("moment", moment.moment().name());
        tree.put("what", moment.description());
        tree.put("attempt", moment.attempt());
        tree.put("millis", moment.took().toNanos() / 1e6);
        tree.put("error", moment.error());
        return tree;
    }

    private static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            throw new Refusal(503, "the view is being closed");
        } catch (TimeoutException late) {
            throw new Refusal(503, "the event loop did not answer within " + PATIENCE_SECONDS + " s");
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            throw new Refusal(503, String.valueOf((cause == null ? failed : cause).getMessage()));
        }
    }
}
