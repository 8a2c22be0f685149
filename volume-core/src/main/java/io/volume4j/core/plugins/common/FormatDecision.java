package io.volume4j.core.plugins.common;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.DeviceContent;
import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.plugin.BlankPolicy;
import io.volume4j.spi.plugin.BlankPolicy.Unproved;
import io.volume4j.spi.plugin.FormatLedger.OpenFormat;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Whether a device is formatted, checked, mounted or left alone. Pure: all of the policy that guards users' data is in
 * {@link #of}.
 *
 * <p>A device is formatted in three cases only: its blankness was proved; it bears no mark, and its volume asks for no more
 * than that ({@link Unproved#SIGNATURES}); or a format of this very device was begun by us, its end was never seen, nothing has mounted the device since, and what lies on it is what a format leaves half-made: data
 * of no known kind, or a filesystem of that type which does not pass its check. A filesystem that passes is kept: then mkfs
 * did end, and only its end was not seen.
 *
 * @param fsType what to format and mount
 * @param finishFirst whether an open format is over and is to be closed before anything else
 */
public record FormatDecision(Action action, String fsType, boolean finishFirst) {
    /** The filesystem that a device gets if none is asked for. */
    public static final String DEFAULT_TYPE = "ext4";

    /** What to do with a device that is not mounted where it should be. */
    public enum Action {
        FORMAT_THEN_MOUNT,
        CHECK_THEN_MOUNT,
        /** Keeps a filesystem that passes its check and is formatted again if it does not. */
        CHECK_OR_FORMAT_THEN_MOUNT,
        MOUNT
    }

    /**
     * What is known when the decision is taken.
     *
     * @param asked the filesystem asked for, {@code ""} for the one that is there, or {@link #DEFAULT_TYPE}
     * @param open the format whose end was not recorded, null if there is none
     * @param mountedElsewhere whether the device is mounted at another place now
     * @param unproved what the volume asks for where blankness was not proved
     */
    public record Facts(
            Path device,
            DeviceIdentity identity,
            DeviceContent content,
            String asked,
            boolean readOnly,
            @Nullable OpenFormat open,
            boolean mountedElsewhere,
            Unproved unproved) {}

    /**
     * The decision.
     *
     * @throws VolumeException final, if the device must not be touched
     */
    public static FormatDecision of(Facts facts) {
        OpenFormat open = facts.open();
        if (open != null) {
            requireSameDevice(facts.device(), facts.identity(), open);
        }
        return switch (facts.content().kind()) {
            case BLANK -> ofBlank(facts, open);
            case UNPROVED -> ofUnproved(facts, open);
            case FILESYSTEM -> ofFilesystem(facts, open);
            case FOREIGN -> ofForeign(facts, open);
        };
    }

    /** A format that was begun on one device says nothing about another: only a person can tell what happened. */
    public static void requireSameDevice(Path device, DeviceIdentity identity, OpenFormat open) {
        if (!open.device().equals(identity)) {
            throw VolumeException.finalFailure(device + " is not the device on which a format as " + open.fsType()
                            + " was begun and never finished: that was " + shown(open.device()) + ", this is "
                            + shown(identity) + "; nothing was written to it")
                    .withAdvice("find out why the volume's device changed; attach the first device again, or delete the"
                            + " volume and provision it anew");
        }
    }

    private static FormatDecision ofBlank(Facts facts, @Nullable OpenFormat open) {
        requireNotMounted(facts, "is blank but mounted elsewhere");
        if (facts.readOnly()) {
            throw VolumeException.finalFailure(
                            facts.device() + " is blank and asked for read-only, so it cannot be formatted")
                    .withAdvice("mount the volume writable once");
        }
        return new FormatDecision(Action.FORMAT_THEN_MOUNT, wanted(facts, open), false);
    }

    /** No mark is on it, and what lies between the places of marks is not known. */
    private static FormatDecision ofUnproved(Facts facts, @Nullable OpenFormat open) {
        requireNotMounted(facts, "has no known signature of a filesystem and is mounted elsewhere");
        boolean halfMade = open != null && open.fsType().equals(wanted(facts, open));
        if (!halfMade && facts.unproved() == Unproved.REFUSE) {
            throw VolumeException.finalFailure(
                            facts.device() + " has no known signature of a filesystem, but it was not proved"
                                    + " blank (" + facts.content().evidence() + "); it was left as it is")
                    .withAdvice(
                            "make the filesystem yourself if the device holds no data; or let more of it be read, by"
                                    + " annotation " + BlankPolicy.READ + " of the volume; or let its marks decide, by "
                                    + BlankPolicy.UNPROVED + ": signatures");
        }
        if (facts.readOnly()) {
            throw VolumeException.finalFailure(
                            facts.device()
                                    + " has no known signature of a filesystem and is asked for read-only, so it cannot be formatted")
                    .withAdvice("mount the volume writable once");
        }
        return new FormatDecision(Action.FORMAT_THEN_MOUNT, wanted(facts, open), false);
    }

    private static FormatDecision ofFilesystem(Facts facts, @Nullable OpenFormat open) {
        String found = facts.content().type();
        if (!facts.asked().isEmpty() && !facts.asked().equals(found)) {
            throw VolumeException.finalFailure(facts.device() + " holds " + found + " where " + facts.asked()
                            + " was asked for; it was left as it is")
                    .withAdvice("ask for " + found + ", or empty the device yourself if its content is not needed");
        }
        if (facts.mountedElsewhere()) {
            return new FormatDecision(Action.MOUNT, found, open != null);
        }
        if (open != null && open.fsType().equals(found)) {
            requireWritable(facts, open);
            return new FormatDecision(Action.CHECK_OR_FORMAT_THEN_MOUNT, found, false);
        }
        if (open != null) {
            throw VolumeException.finalFailure(facts.device() + " holds " + found + " although a format as "
                            + open.fsType() + " was begun on it and never finished: something else wrote to it since")
                    .withAdvice("look at the device; empty it yourself if its content is not needed");
        }
        return new FormatDecision(facts.readOnly() ? Action.MOUNT : Action.CHECK_THEN_MOUNT, found, false);
    }

    private static FormatDecision ofForeign(Facts facts, @Nullable OpenFormat open) {
        String found = facts.content().type();
        boolean halfMade = open != null && found.isEmpty() && open.fsType().equals(wanted(facts, open));
        if (open == null || !halfMade) {
            String begun =
                    open == null ? "" : ", which the format begun on it, one as " + open.fsType() + ", did not leave";
            throw VolumeException.finalFailure(facts.device() + " is neither blank nor a filesystem: it holds "
                            + (found.isEmpty() ? "data of no known kind" : found) + begun + " ("
                            + facts.content().evidence() + "); it was left as it is")
                    .withAdvice("empty the device yourself if its content is not needed");
        }
        requireNotMounted(facts, "holds a half-made " + open.fsType() + " and is mounted elsewhere");
        requireWritable(facts, open);
        return new FormatDecision(Action.FORMAT_THEN_MOUNT, open.fsType(), false);
    }

    private static String wanted(Facts facts, @Nullable OpenFormat open) {
        if (!facts.asked().isEmpty()) {
            return facts.asked();
        }
        return open == null ? DEFAULT_TYPE : open.fsType();
    }

    private static void requireWritable(Facts facts, OpenFormat open) {
        if (facts.readOnly()) {
            throw VolumeException.finalFailure("the format of " + facts.device() + " as " + open.fsType()
                            + " was never finished, and it is asked for read-only")
                    .withAdvice("mount the volume writable once");
        }
    }

    private static void requireNotMounted(Facts facts, String what) {
        if (facts.mountedElsewhere()) {
            throw VolumeException.finalFailure(facts.device() + " " + what + "; it was left as it is")
                    .withAdvice("unmount it there");
        }
    }

    private static String shown(DeviceIdentity identity) {
        return MessageText.text(identity.serial()) + " of " + identity.bytes() + " bytes";
    }
}
