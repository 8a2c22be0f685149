package io.volume4j.core.linux.device;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.IoctlRequest;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.SyscallException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Sends SCSI commands to the unit of a block device by {@code SG_IO}; sg(4), {@code struct sg_io_hdr} of 64-bit Linux.
 * Multipath maps forward the command to one of their paths. Changes nothing.
 */
record ScsiUnit(Kernel kernel, Descriptor device) implements UnitMap.Unit {
    private static final byte SERVICE_ACTION_IN = (byte) 0x9e;
    private static final byte READ_CAPACITY = 0x10;
    private static final byte GET_LBA_STATUS = 0x12;
    private static final int COMMAND = 16;
    private static final int CAPACITY = 32;
    private static final int STATUS = 64 * 1024;

    private static final int HEADER = 88;
    private static final int FROM_DEVICE = -3;
    private static final int SENSE = 32;
    private static final int TIMEOUT_MILLIS = 10_000;
    /** Offsets in the header of the results that the kernel writes; each is 0 after a success. */
    private static final int UNIT_STATUS = 64;

    private static final int HOST_STATUS = 68;
    private static final int DRIVER_STATUS = 70;
    private static final int NOT_TRANSFERRED = 72;

    @Override
    public byte[] capacity() {
        return ask(READ_CAPACITY, 0, CAPACITY);
    }

    @Override
    public void flush() {
        kernel.sync(device);
    }

    @Override
    public byte[] status(long block) {
        byte[] answer = ask(GET_LBA_STATUS, block, STATUS);
        // The first four bytes contain the number of bytes that follow.
        long told = answer.length < 8
                ? 0
                : 4 + Integer.toUnsignedLong(ByteBuffer.wrap(answer).getInt(0));
        return Arrays.copyOf(answer, (int) Math.min(answer.length, told));
    }

    private byte[] ask(byte action, long block, int length) {
        byte[] command = ByteBuffer.allocate(COMMAND)
                .put(SERVICE_ACTION_IN)
                .put(action)
                .putLong(block)
                .putInt(length)
                .array();
        try (Memory header = new Memory(HEADER);
                Memory cdb = new Memory(COMMAND);
                Memory answer = new Memory(length);
                Memory sense = new Memory(SENSE)) {
            header.clear();
            answer.clear();
            cdb.write(0, command, 0, COMMAND);
            header.setInt(0, 'S');
            header.setInt(4, FROM_DEVICE);
            header.setByte(8, (byte) COMMAND);
            header.setByte(9, (byte) SENSE);
            header.setInt(12, length);
            header.setPointer(16, answer);
            header.setPointer(24, cdb);
            header.setPointer(32, sense);
            header.setInt(40, TIMEOUT_MILLIS);
            kernel.control(device, IoctlRequest.SG_IO, Pointer.nativeValue(header));
            boolean well = header.getByte(UNIT_STATUS) == 0
                    && header.getShort(HOST_STATUS) == 0
                    && header.getShort(DRIVER_STATUS) == 0;
            int transferred = length - header.getInt(NOT_TRANSFERRED);
            return well && transferred > 0 && transferred <= length ? answer.getByteArray(0, transferred) : new byte[0];
        } catch (SyscallException notScsi) {
            return new byte[0];
        }
    }
}
