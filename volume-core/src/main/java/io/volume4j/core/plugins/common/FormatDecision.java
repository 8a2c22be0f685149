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
 * Decides whether a device is formatted, checked, mounted or left unchanged. Pure. {@link #of} contains the complete
 * policy that protects users' data.
 *
 * <p>A device is formatted in three cases only:
 *
 * <ul>
 * <li>It was proved blank.
 * <li>It has no known mark, and its volume permits a format in this case ({@link Unproved#SIGNATURES}).
 * <li>The library began a format of this device and its end was not recorded, the device was not mounted since, and
 * its contents are those of an unfinished format: data of no known kind, or a filesystem of that type that fails its
 * check. A filesystem that passes is kept: then mkfs did finish, and only the record is missing.
 * </ul>
 *
 * @param fsType the type to format and mount
 * @param finishFirst whether an open format has ended, so that the caller must first record its end
 */
public record FormatDecision(Action action, String fsType, boolean finishFirst) {
    /** The default filesystem. */
    public static final String DEFAULT_TYPE = "ext4";

    /** The action for a device that is not mounted at its target. */
    public enum Action {
        FORMAT_THEN_MOUNT,
        CHECK_THEN_MOUNT,
        /** Keeps a filesystem that passes its check. Formats the device again if it fails. */
        CHECK_OR_FORMAT_THEN_MOUNT,
        MOUNT
    }

    /**
     * The facts for the decision.
     *
     * @param asked the requested filesystem; {@code ""} for the existing one, or {@link #DEFAULT_TYPE}
     * @param open the format without a recorded end, null for none
     * @param mountedElsewhere whether the device is mounted at another path now
     * @param unproved the volume's policy if the device was not proved blank
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
     * Decides.
     *
     * @throws VolumeException final, if the device must not be changed
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

    /** Fails if an open format began on another device. Only an administrator can find out what happened then. */
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

    /** The device has no mark, and the bytes between the places of marks are unknown. */
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
