package io.volume4j.inmemory.sim;

import io.volume4j.core.control.attach.plan.AttachKey;
import io.volume4j.core.control.attach.plan.AttachStep;
import io.volume4j.core.control.attach.plan.AttachView;
import io.volume4j.core.control.attach.plan.RecordStep;
import io.volume4j.core.control.attach.plan.RecordView;
import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ObjectView;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.engine.Step;
import io.volume4j.core.journal.InMemoryJournalStore;
import io.volume4j.core.journal.JournalOptions;
import io.volume4j.core.node.Belief;
import io.volume4j.core.node.NodeStep;
import io.volume4j.core.node.VolumeView;
import io.volume4j.core.node.agent.NodeAgent;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/** The parts of simulated worlds that show types which no module exports. */
public final class Internals {
    private Internals() {}

    /** What comes between the nodes' engines and their parts. */
    public static SimulationBuilder nodeSeams(SimulationBuilder builder, Seams<VolumeId, VolumeView, NodeStep> seams) {
        return builder.seams(given -> given.withNode(seams));
    }

    /** What comes between the engines of controllers of objects and their parts. */
    public static SimulationBuilder objectSeams(
            SimulationBuilder builder, Seams<ObjectKey, ObjectView, ClusterStep> seams) {
        return builder.seams(given -> given.withObjects(seams));
    }

    /** What comes between the engines of attach/detach controllers and their parts. */
    public static SimulationBuilder attachSeams(
            SimulationBuilder builder, Seams<AttachKey, AttachView, AttachStep> seams) {
        return builder.seams(given -> given.withAttach(seams));
    }

    /** The same for the engines that carry VolumeAttachments out. */
    public static SimulationBuilder recordSeams(
            SimulationBuilder builder, Seams<ObjectKey, RecordView, RecordStep> seams) {
        return builder.seams(given -> given.withRecord(seams));
    }

    /** What nodes make of the limits of their calls; default the same. */
    public static SimulationBuilder appliedLimits(
            SimulationBuilder builder, UnaryOperator<OperationExecutor.Limits> change) {
        return builder.appliedLimits(change);
    }

    /** Bounds of the nodes' journals. */
    public static SimulationBuilder journal(SimulationBuilder builder, JournalOptions options) {
        return builder.journal(options);
    }

    /** Called for each plan with the name of its reconciler. */
    public static SimulationBuilder onPlan(
            SimulationBuilder builder, BiConsumer<String, Plan<? extends Step>> listener) {
        return builder.onPlan(listener);
    }

    /** No oracle judges the world, so that it can be large. */
    public static SimulationBuilder unjudged(SimulationBuilder builder) {
        return builder.unjudged();
    }

    /** Counts what all engines do. */
    public static SimulationBuilder counting(SimulationBuilder builder, EngineCounts counts) {
        return builder.seams(given -> given.with(counts));
    }

    /** Writes of the process that the cluster took. */
    public static long writes(SimProcess process) {
        return process.load().writes();
    }

    /** Objects in the answers to the listings of the process. */
    public static long listed(SimProcess process) {
        return process.load().listed();
    }

    /** Events that the watches of the process showed. */
    public static long events(SimProcess process) {
        return process.load().events();
    }

    /** The agent of a node that is up. */
    public static NodeAgent agent(NodeProcess node) {
        return (NodeAgent) node.agent().orElseThrow();
    }

    /** What the agent takes for true; empty unless it is ready. */
    public static List<Belief> beliefs(NodeProcess node) {
        return node.beliefs();
    }

    /** The disk of the node's journal. */
    public static InMemoryJournalStore journal(NodeProcess node) {
        return node.journal();
    }
}
